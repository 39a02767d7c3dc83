"""The tables of docs/formats.md, made of the descriptions in the code (tests/support/format_keys.cpp prints them)."""
from format_schema import COMPUTED


def computed_text(schema):
    """Of what has no type in a description: its type, and whether it may be null."""
    other = [each for each in schema.get("anyOf", [schema]) if each != {"type": "null"}][0]
    if "$ref" in other:
        name = other["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name}-toml)" if name == "experiment" else name, other is not schema
    if "const" in other:
        return str(other["const"]), False
    kinds = other["type"] if isinstance(other["type"], list) else [other["type"]]
    words = {"string": "text", "array": "list", "boolean": "true or false"}
    kind = next(kind for kind in kinds if kind != "null")
    return words.get(kind, kind), other is not schema or "null" in kinds


def type_text(member):
    kind = member["type"]
    if "enum" in kind:  # what is "none" is written as null, where that may be
        return ", ".join(f"`{name}`" for name in kind["enum"] if name != "none" or not member["may_be_null"])
    if "list" in kind:
        inner = kind["list"]
        return "list of " + ({"string": "texts", "integer": "integers"}.get(inner.get("type")) or
                             (f"[{inner['record'].replace('_', ' ')}](#{inner['record'].replace('_', '-')})" if "record" in inner
                              else "names"))
    if "record" in kind:
        return f"[{kind['record'].replace('_', ' ')}](#{kind['record'].replace('_', '-')})"
    return {"boolean": "true or false", "string": "text", "other": ""}.get(kind["type"], kind["type"])


def cell(text):
    return text.replace("|", "\\|")


def keys_table(name, members):
    lines = ["| key | unit | type | null | what it is |", "| --- | --- | --- | --- | --- |"]
    for m in members:
        kind, null = computed_text(COMPUTED[name, m["key"]]) if m.get("computed") else (type_text(m), m["may_be_null"])
        lines.append(f"| `{m['key']}` | {m['unit']} | {kind} | {'may be' if null else ''} | {cell(m['meaning'])} |")
    return lines


def number_text(value):
    return f"{value:g}" if value != int(value) or abs(value) >= 1e7 else str(int(value))


def experiment_table(members):
    lines = ["| key | takes | what it is |", "| --- | --- | --- |"]
    for m in members:
        takes = "a size" if m["unit"] == "B" else "lines" if m["unit"] == "lines" else type_text(m)
        takes = "a section" if m["type"] == {"type": "other"} else takes
        if "least" in m:
            takes = f"{number_text(m['least'])} to {number_text(m['most'])}"
        lines.append(f"| `{m['key']}` | {takes} | {cell(m['meaning'])} |")
    return lines


def profile_table(members):
    lines = ["| key | unit | what it is |", "| --- | --- | --- |"]
    return lines + [f"| `{m['key']}` | {m['unit']} | {cell(m['meaning'])} |" for m in members]


def kernels_table(kernels):
    lines = ["| `kernel.name` | what it does | its keys |", "| --- | --- | --- |"]
    for k in kernels:
        options = ", ".join(f"`{o.replace('-', '_')}`" for o in k["options"])
        lines.append(f"| `{k['word']}` | {cell(k['meaning'])} | {options} |")
    return lines


# What is no member of a span or of its provenance, and what is called otherwise.
OWN_COLUMNS = {
    "provenance": ("", "Whether the times were measured on a GPU or made by a model"),
    "clock_uncertainty_ns": ("ns", "How far the host's and the device's times may be off against each other, plus or minus"),
    "predicted_start_ns": ("ns", "When the model predicts that the operation starts"),
    "predicted_end_ns": ("ns", "When the model predicts that the operation ends"),
    "predicted_by": ("", "Profile of the model that predicted the run")}


def columns_table(header, keys):
    known = {m["key"]: (m["unit"], m["meaning"]) for name in ["provenance", "span"] for m in keys[name]}
    lines = ["| | column | unit | what it is |", "| --: | --- | --- | --- |"]
    for i, column in enumerate(header, 1):
        unit, meaning = OWN_COLUMNS.get(column) or known[column]
        lines.append(f"| {i} | `{column}` | {unit} | {cell(meaning)} |")
    return lines


def tables_of(keys, csv_header):
    tables = {f"keys of a {name}": keys_table(name, keys[name])
              for name in ["run", "provenance", "statistic", "observer_effect", "span", "kernel", "stream", "stages",
                           "stage_block", "stage", "prediction", "referee", "device_facts", "hand_over", "launch", "isolated_time", "poll_answer",
                           "stream_attributes", "capture_answer", "device_list", "device",
                           "skipped_gpu"]}
    tables["keys of an experiment"] = experiment_table(keys["experiment"])
    tables["keys of a profile"] = profile_table(keys["profile"])
    tables["kernels"] = kernels_table(keys["kernels"])
    tables["columns of a run"] = columns_table(csv_header, keys)
    return tables
