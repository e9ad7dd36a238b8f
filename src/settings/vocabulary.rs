//! The words of old settings documents for what Azure calls otherwise. They are taken in settings for ever; everything that people read,
//! plans, questions, results and documents that are written, has Azure's.

/// Each word, and Azure's for it. Azure refuses a bastion host in a subnet of any other name.
const WORDS: &[(&str, &str)] = &[("CloudServices", "AzureServices"), ("CloudBastionSubnet", "AzureBastionSubnet")];

/// Azure's word for one of the settings, in any letter case; a word that is the same in both comes back as it is.
#[must_use]
pub fn to_azure(text: &str) -> &str {
    WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map_or(text, |(_, azure)| azure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_old_documents_are_azures() {
        assert_eq!(
            (to_azure("CloudServices"), to_azure("cloudbastionsubnet")),
            ("AzureServices", "AzureBastionSubnet")
        );
        assert_eq!((to_azure("AzureServices"), to_azure("Logging")), ("AzureServices", "Logging"));
    }
}
