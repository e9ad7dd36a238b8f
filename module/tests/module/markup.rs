//! Reading XML files as strictly as PowerShell does, and more: every element stands where its grammar has it.

use roxmltree::{Document, Node};

/// The form that an element may have.
pub(crate) struct Element {
    /// Its name, behind the prefix of its namespace if it has one.
    pub(crate) name: &'static str,
    /// The attributes it has to have; it may have no others.
    pub(crate) attributes: &'static [&'static str],
    pub(crate) content: Content,
}

/// The content of an element.
pub(crate) enum Content {
    /// Nothing.
    Empty,
    /// Text that is not blank.
    Text,
    /// Text that may be missing.
    OptionalText,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A number that is not negative.
    Number,
    /// Elements in this order. `?` behind a name: at most one, `*`: any number, `+`: one or more; `|` between names: any of
    /// them.
    Elements(&'static [&'static str]),
}

/// A file format: its elements, and the prefix of each namespace.
pub(crate) struct Grammar {
    pub(crate) root: &'static str,
    pub(crate) elements: &'static [Element],
    pub(crate) namespaces: &'static [(&'static str, &'static str)],
}

impl Grammar {
    /// Reads a file.
    pub(crate) fn read<'text>(&self, text: &'text str) -> Result<Document<'text>, String> {
        let document = Document::parse(text).map_err(|error| error.to_string())?;
        let root = document.root_element();
        if self.name(root)? != self.root {
            return Err(format!("<{}> is not the root element", root.tag_name().name()));
        }
        self.check(root)?;
        Ok(document)
    }

    /// The name of an element as the grammar spells it.
    pub(crate) fn name(&self, node: Node<'_, '_>) -> Result<String, String> {
        let name = node.tag_name().name();
        let Some(namespace) = node.tag_name().namespace() else { return Ok(name.to_owned()) };
        let known = self.namespaces.iter().find(|(known, _)| *known == namespace);
        let (_, prefix) = known.ok_or_else(|| complaint(node, &format!("the namespace {namespace} is not known")))?;
        Ok(format!("{prefix}{name}"))
    }

    fn check(&self, node: Node<'_, '_>) -> Result<(), String> {
        let name = self.name(node)?;
        let element = self
            .elements
            .iter()
            .find(|element| element.name == name)
            .ok_or_else(|| complaint(node, &format!("there is no element <{name}>")))?;
        let attributes: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
        if attributes != element.attributes {
            return Err(complaint(node, &format!("<{name}> has the attributes {attributes:?}")));
        }
        let elements: Vec<Node<'_, '_>> = node.children().filter(Node::is_element).collect();
        let text: String = node.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
        let fits = match element.content {
            Content::Elements(pattern) => {
                if !text.trim().is_empty() {
                    return Err(complaint(node, &format!("<{name}> has text beside its elements")));
                }
                return self.check_order(node, &elements, pattern);
            }
            _ if !elements.is_empty() => false,
            Content::Empty => text.is_empty(),
            Content::Text => !text.trim().is_empty(),
            Content::OptionalText => true,
            Content::OneOf(words) => words.contains(&text.as_str()),
            Content::Number => text.parse::<u32>().is_ok(),
        };
        if fits { Ok(()) } else { Err(complaint(node, &format!("<{name}> may not hold '{text}'"))) }
    }

    fn check_order(&self, parent: Node<'_, '_>, elements: &[Node<'_, '_>], pattern: &[&str]) -> Result<(), String> {
        let mut rest = elements.iter().peekable();
        for part in pattern {
            let names = part.trim_end_matches(['?', '*', '+']);
            let (least, most) = match part.chars().last() {
                Some('?') => (0, 1),
                Some('*') => (0, usize::MAX),
                Some('+') => (1, usize::MAX),
                _ => (1, 1),
            };
            let mut count = 0;
            while count < most {
                let Some(child) = rest.peek() else { break };
                let name = self.name(**child)?;
                if !names.split('|').any(|wanted| wanted == name) {
                    break;
                }
                self.check(**child)?;
                rest.next();
                count += 1;
            }
            if count < least {
                let found = rest.peek().map_or("nothing", |child| child.tag_name().name());
                return Err(complaint(
                    parent,
                    &format!("<{}> has {found} where {part} has to be", parent.tag_name().name()),
                ));
            }
        }
        match rest.next() {
            Some(child) => Err(complaint(*child, &format!("<{}> may not be here", self.name(*child)?))),
            None => Ok(()),
        }
    }
}

fn complaint(node: Node<'_, '_>, problem: &str) -> String {
    format!("line {}: {problem}", node.document().text_pos_at(node.range().start).row)
}

/// The elements of a name below a node, at any depth.
pub(crate) fn below<'node, 'text>(
    node: Node<'node, 'text>,
    name: &'static str,
) -> impl Iterator<Item = Node<'node, 'text>> {
    node.descendants().filter(move |node| node.is_element() && node.tag_name().name() == name)
}

/// The child elements of a name.
pub(crate) fn inside<'node, 'text>(
    node: Node<'node, 'text>,
    name: &'static str,
) -> impl Iterator<Item = Node<'node, 'text>> {
    node.children().filter(move |node| node.is_element() && node.tag_name().name() == name)
}

/// The text in a node and below it, without the blanks around it.
pub(crate) fn content(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect::<String>().trim().to_owned()
}
