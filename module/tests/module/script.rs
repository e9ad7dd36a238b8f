//! A PowerShell script as its syntax tree, and what the tests ask of it.

use std::collections::BTreeMap;

use tree_sitter::{Node, Parser, Tree};

pub(crate) struct Script {
    text: String,
    tree: Tree,
}

/// A function of a script.
pub(crate) struct Function<'script> {
    pub(crate) name: &'script str,
    pub(crate) node: Node<'script>,
    /// The comment that is its help.
    pub(crate) help: Option<&'script str>,
    pub(crate) attributes: Vec<Attribute<'script>>,
    pub(crate) parameters: Vec<Parameter<'script>>,
}

pub(crate) struct Parameter<'script> {
    pub(crate) name: &'script str,
    pub(crate) type_name: &'script str,
    pub(crate) attributes: Vec<Attribute<'script>>,
}

pub(crate) struct Attribute<'script> {
    pub(crate) name: &'script str,
    /// Name and value as written; a flag has no value, a positional value no name.
    pub(crate) arguments: Vec<(&'script str, &'script str)>,
}

impl Attribute<'_> {
    /// The arguments as one text, in the order of the script.
    pub(crate) fn written(&self) -> String {
        let arguments = self.arguments.iter().map(|(name, value)| match (*name, *value) {
            (name, "") => name.to_owned(),
            ("", value) => value.to_owned(),
            (name, value) => format!("{name} = {value}"),
        });
        arguments.collect::<Vec<_>>().join(", ")
    }
}

impl Script {
    pub(crate) fn parse(text: &str) -> Script {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_powershell::LANGUAGE.into()).unwrap();
        Script { text: text.to_owned(), tree: parser.parse(text, None).unwrap() }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }

    pub(crate) fn functions(&self) -> Vec<Function<'_>> {
        find(self.root(), "function_statement").into_iter().map(|node| self.function(node)).collect()
    }

    pub(crate) fn function_named(&self, name: &str) -> Function<'_> {
        let found = self.functions().into_iter().find(|function| function.name == name);
        found.unwrap_or_else(|| panic!("the module has no function {name}"))
    }

    fn function<'script>(&'script self, node: Node<'script>) -> Function<'script> {
        let block = child(node, "script_block").unwrap();
        let parameters = child(block, "param_block");
        Function {
            name: self.text(child(node, "function_name").unwrap()),
            node,
            help: child(node, "comment").map(|comment| self.text(comment)),
            attributes: parameters.map(|block| self.attributes(block)).unwrap_or_default(),
            parameters: parameters
                .and_then(|block| child(block, "parameter_list"))
                .map(|list| children(list, "script_parameter").map(|node| self.parameter(node)).collect())
                .unwrap_or_default(),
        }
    }

    fn parameter<'script>(&'script self, node: Node<'script>) -> Parameter<'script> {
        let list = child(node, "attribute_list").unwrap();
        let types: Vec<&str> = children(list, "attribute")
            .filter_map(|attribute| child(attribute, "type_literal"))
            .filter_map(|literal| self.text(literal).strip_prefix('[')?.strip_suffix(']'))
            .collect();
        assert_eq!(types.len(), 1, "{}", self.text(node));
        Parameter {
            name: self.text(child(node, "variable").unwrap()).trim_start_matches('$'),
            type_name: types[0],
            attributes: self.attributes(node),
        }
    }

    fn attributes<'script>(&'script self, holder: Node<'script>) -> Vec<Attribute<'script>> {
        let Some(list) = child(holder, "attribute_list") else { return Vec::new() };
        children(list, "attribute")
            .filter_map(|attribute| Some((attribute, child(attribute, "attribute_name")?)))
            .map(|(attribute, name)| Attribute {
                name: self.text(name),
                arguments: child(attribute, "attribute_arguments")
                    .map(|list| children(list, "attribute_argument").map(|node| self.argument(node)).collect())
                    .unwrap_or_default(),
            })
            .collect()
    }

    fn argument<'script>(&'script self, node: Node<'script>) -> (&'script str, &'script str) {
        let text = |kind| child(node, kind).map(|part| self.text(part)).unwrap_or_default();
        (text("simple_name"), text("logical_expression"))
    }

    /// The strings in a part of the script, without quotes.
    pub(crate) fn strings(&self, node: Node<'_>) -> Vec<&str> {
        find(node, "verbatim_string_characters")
            .into_iter()
            .map(|string| self.text(string).trim_matches('\''))
            .collect()
    }

    /// The keys that a variable is indexed with in a part of the script, as in `$Message['event']`.
    pub(crate) fn keys_of(&self, node: Node<'_>, variable: &str) -> Vec<&str> {
        find(node, "element_access")
            .into_iter()
            .filter(|access| child(*access, "variable").is_some_and(|node| self.text(node) == variable))
            .flat_map(|access| self.strings(access))
            .collect()
    }

    /// The hashtables of a list that the script assigns to a variable, each with its entries as written.
    pub(crate) fn table(&self, variable: &str) -> Vec<BTreeMap<&str, &str>> {
        let assignment = find(self.root(), "assignment_expression")
            .into_iter()
            .find(|node| self.text(*node).starts_with(&format!("{variable} = ")))
            .unwrap_or_else(|| panic!("nothing sets {variable}"));
        let entry = |entry| {
            let text = |kind| self.text(child(entry, kind).unwrap());
            (text("key_expression"), text("pipeline"))
        };
        find(assignment, "hash_literal_body")
            .into_iter()
            .map(|body| children(body, "hash_entry").map(entry).collect())
            .collect()
    }

    /// The commands that a part of the script calls, with the names of the parameters they are given.
    pub(crate) fn calls(&self, node: Node<'_>) -> Vec<(&str, Vec<&str>)> {
        find(node, "command")
            .into_iter()
            .filter_map(|command| Some((command, self.text(child(command, "command_name")?))))
            .map(|(command, name)| {
                let elements = child(command, "command_elements");
                let parameters = elements.into_iter().flat_map(|elements| children(elements, "command_parameter"));
                let names = parameters.map(|parameter| {
                    let text = self.text(parameter).trim_start_matches('-');
                    text.split_once(':').map_or(text, |(name, _)| name)
                });
                (name, names.collect())
            })
            .collect()
    }
}

/// Every node of a kind, the outer ones first.
pub(crate) fn find<'tree>(node: Node<'tree>, kind: &str) -> Vec<Node<'tree>> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.kind() == kind {
            found.push(node);
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'tree>> = node.children(&mut cursor).collect();
        open.extend(children.into_iter().rev());
    }
    found
}

/// The first child of a kind.
pub(crate) fn child<'tree>(node: Node<'tree>, kind: &str) -> Option<Node<'tree>> {
    children(node, kind).next()
}

/// The children of a kind.
pub(crate) fn children<'tree>(node: Node<'tree>, kind: &str) -> impl Iterator<Item = Node<'tree>> {
    let mut cursor = node.walk();
    let found: Vec<Node<'tree>> = node.children(&mut cursor).filter(|child| child.kind() == kind).collect();
    found.into_iter()
}

/// The parts that the parser could not read, each with its line.
pub(crate) fn mistakes(root: Node<'_>) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            mistakes.push(format!("line {}: {}", node.start_position().row + 1, node.to_sexp()));
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor).filter(|child| child.has_error() || child.is_missing()));
    }
    mistakes
}
