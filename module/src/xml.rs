//! Elements of XML, and how they are written.

use std::io;

use quick_xml::Writer;
use quick_xml::escape::partial_escape;
use quick_xml::events::BytesText;

/// An element.
pub(crate) struct Element {
    name: String,
    attributes: Vec<(&'static str, String)>,
    content: Content,
}

enum Content {
    Nothing,
    Text(String),
    Children(Vec<Element>),
}

/// An element that is a text, which may have lines of its own; nothing where the text is.
pub(crate) fn text(name: &str, text: &str) -> Element {
    let content = if text.is_empty() { Content::Nothing } else { Content::Text(text.to_owned()) };
    Element { name: name.to_owned(), attributes: Vec::new(), content }
}

/// An element with others in it.
pub(crate) fn element(name: &str, children: impl IntoIterator<Item = Element>) -> Element {
    let content = Content::Children(children.into_iter().collect());
    Element { name: name.to_owned(), attributes: Vec::new(), content }
}

impl Element {
    /// The element with attributes.
    pub(crate) fn with<V: Into<String>>(mut self, attributes: impl IntoIterator<Item = (&'static str, V)>) -> Element {
        self.attributes.extend(attributes.into_iter().map(|(name, value)| (name, value.into())));
        self
    }

    /// The element in lines of which each level is further in.
    pub(crate) fn write(&self) -> String {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.config_mut().add_space_before_slash_in_empty_elements = true;
        // Nothing fails in memory.
        let written = self.write_to(&mut writer);
        debug_assert!(written.is_ok(), "{written:?}");
        String::from_utf8_lossy(&writer.into_inner()).into_owned()
    }

    fn write_to(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let attributes = self.attributes.iter().map(|(name, value)| (*name, value.as_str()));
        let element = writer.create_element(self.name.as_str()).with_attributes(attributes);
        match &self.content {
            Content::Nothing => element.write_empty(),
            Content::Text(text) => element.write_text_content(BytesText::from_escaped(partial_escape(text))),
            Content::Children(children) => {
                element.write_inner_content(|writer| children.iter().try_for_each(|child| child.write_to(writer)))
            }
        }?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_as_they_are_between_their_marks() {
        let code = text("code", "a < 'b'\n\n  && c");
        let whole = element("all", [code, text("none", "")]).with([("of", "x \"y\"")]);
        let expected = "<all of=\"x &quot;y&quot;\">\n  <code>a &lt; 'b'\n\n  &amp;&amp; c</code>\n  <none />\n</all>";
        assert_eq!(whole.write(), expected);
    }
}
