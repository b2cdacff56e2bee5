"""What is wrong with a document by a schema of JSON, as far as our schema goes:
type, enum, properties, required, additionalProperties, items, anyOf, $ref.

Unlike the standard has it, fields that the schema does not name are wrong:
whoever adds one adds it there, too.
"""

TYPES = {"string": str, "array": list, "object": dict, "boolean": bool,
         "null": type(None)}


def is_a(value, kind):
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def of_object(value, schema, root, path):
    known = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{path}: '{name}' is missing"
    for name, inner in value.items():
        rule = known.get(name, schema.get("additionalProperties"))
        if rule is None:
            yield f"{path}: '{name}' is not in the schema"
        else:
            yield from problems(inner, rule, root, f"{path}.{name}")


def problems(value, schema, root, path="$"):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in schema:
        found = [list(problems(value, one, root, path))
                 for one in schema["anyOf"]]
        if all(found):
            yield from min(found, key=len)
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {schema['enum']}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_a(value, kind) for kind in kinds):
        yield f"{path}: {value!r} is no {' or '.join(kinds)}"
    elif isinstance(value, dict):
        yield from of_object(value, schema, root, path)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from problems(inner, schema.get("items", {}), root,
                                f"{path}[{index}]")
