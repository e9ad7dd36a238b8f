"""Lists the properties of our resource types that a request may set and whose values Azure's schemas enumerate.

    python3 tests/enumerations.py <schemas> tests/support/enumerations.json

Azure answers such a value in the letter case that it likes, so tests/examples/spellings.rs spells every one of them in another. The second file
names the types and is written again: from the newest schema of each type. With `--check` it is compared instead, and a difference ends with 1.
"""
import json
import pathlib
import sys

# Below are parts of other resources, and some schemas contain themselves.
DEEPEST = 5


def newest_schema(schemas, name):
    """The newest schema of a type, without previews; nothing for a type that has none."""
    versions = (schemas / name.lower()).glob("[0-9]*.json")
    return max((path for path in versions if "preview" not in path.stem), key=lambda path: path.stem, default=None)


def enumerated(document, schema, path, depth=0):
    """The paths of the enumerated texts in a schema: `[]` is every item of a list and `*` every entry of a map."""
    if "$ref" in schema:
        schema = {**document["$defs"][schema["$ref"].rsplit("/", 1)[1]], **{key: value for key, value in schema.items() if key != "$ref"}}
    if depth > DEEPEST or schema.get("readOnly"):
        return
    if any(isinstance(value, str) for value in schema.get("enum", schema.get("x-arm-open-enum", []))):
        yield path
    below = f"{path}." if path else ""
    for name, member in schema.get("properties", {}).items():
        yield from enumerated(document, member, below + name, depth + 1)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from enumerated(document, schema["additionalProperties"], below + "*", depth + 1)
    if "items" in schema:
        yield from enumerated(document, schema["items"], path + "[]", depth)
    for choice in schema.get("anyOf", []) + schema.get("oneOf", []) + list(schema.get("allOf", [])):
        yield from enumerated(document, choice, path, depth + 1)


def main():
    schemas, listed = map(pathlib.Path, [argument for argument in sys.argv[1:] if argument != "--check"])
    before = listed.read_text(encoding="utf-8")
    table = {}
    for name in json.loads(before):
        newest = newest_schema(schemas, name)
        document = json.loads(newest.read_text(encoding="utf-8")) if newest else {}
        table[name] = sorted(set(enumerated(document, document, "")))
    after = json.dumps(table, indent=1) + "\n"
    if "--check" not in sys.argv:
        listed.write_text(after, encoding="utf-8")
    elif after != before:
        print(f"{listed} is not what the schemas say; run tests/enumerations.py without --check.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
