#!/usr/bin/env python3
"""docs/formats.md and docs/formats.schema.json against the code and against files that the program writes.

    check_formats.py ROOT KEYS STREAMSCOPE            prints what is wrong; KEYS is the executable format_keys
    check_formats.py ROOT KEYS STREAMSCOPE --update   writes the page's tables and the schema anew from the descriptions
    check_formats.py --self-test

The schema is made of the descriptions in the code; what is computed while a file is written has no type there and is
said below. Every file is then held to it: each object has exactly its keys, and what may be absent is null.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema


def nullable(schema):
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    kind = schema["type"]
    return {**schema, "type": [*(kind if isinstance(kind, list) else [kind]), "null"]}


def of(kind, **more):
    return {"type": kind, **more}


def listed(items):
    return {"type": "array", "items": items}


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def exact(properties, **more):
    """An object with these keys, all of them and no other."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False, **more}


INTEGER, NUMBER, STRING, FLAG = of("integer"), of("number"), of("string"), of("boolean")
TIME = {**INTEGER, "description": "ns"}
VERSION = {"const": 1, "description": "Version of the format of this file"}
COUNTED = of("object", additionalProperties=of("integer", minimum=0))
NOTE_KINDS = ["other", "model", "prediction", "no_prediction", "not_verified", "wrong_data", "observer_effect", "stop_rule",
              "stopped", "sampling", "stages", "gpu", "instrument", "file", "preview", "warning",
              "contradiction"]
SUM = exact({"count": INTEGER, "ns": nullable(TIME)})
ANALYSIS = {
    **exact({
        "serial_sum_ns": TIME, "speed_up": nullable(NUMBER), "serial_ns": nullable(TIME),
        "serial_speed_up": nullable(NUMBER), "overlap": nullable(NUMBER), "overlapped_ns": TIME,
        "idle": nullable(NUMBER), "waiting_ns": TIME, "host_calls_ns": TIME,
        "engines": listed(exact({
            "engine": {"enum": ["h2d", "d2h", "compute"]}, "busy_ns": TIME, "use": nullable(NUMBER),
            "bytes": nullable(INTEGER), "operations": INTEGER, "device_index": INTEGER})),
        "api_calls": nullable(exact({"total": INTEGER, "by_name": COUNTED, "ns": TIME, "ns_by_name": COUNTED})),
        "serial_source": {"enum": ["unknown", "measured", "simulated", "durations"]}}),
    "description": "Figures of the whole run; null where no operation was observed (a bare run)"}
DIFFERENCE = exact({
    "op": INTEGER, "line": nullable(INTEGER), "what": {"enum": ["execution", "waiting", "call"]}, "ns": TIME,
    "end_ns": nullable(TIME), "uncertainty_ns": TIME, "cause": STRING})
# By record and key.
COMPUTED = {
    ("run", "schema"): VERSION,
    ("run", "experiment"): nullable(ref("experiment")),
    ("run", "observer_effect"): nullable(NUMBER),
    ("run", "analysis"): nullable(ANALYSIS),
    ("run", "note_kinds"): listed({"enum": NOTE_KINDS}),
    ("span", "waits_for"): nullable(STRING),
    ("kernel", "bytes_per_s"): nullable(NUMBER),
    ("kernel", "flops_per_s"): nullable(NUMBER),
    ("kernel", "occupancy"): nullable(NUMBER),
    ("kernel", "waiting"): nullable(NUMBER),
    ("prediction", "wall_error"): nullable(NUMBER),
    ("prediction", "makespan_error"): nullable(NUMBER),
    ("prediction", "measured_wall_ns"): nullable(TIME),
    ("prediction", "differences_found"): INTEGER,
    ("prediction", "differences_in_all"): exact({"execution": SUM, "waiting": SUM, "call": SUM}),
    ("prediction", "differences"): listed(DIFFERENCE),
    ("prediction", "note_kinds"): listed({"enum": NOTE_KINDS}),
    ("device_list", "schema"): VERSION,
}
VALUE = {"type": ["integer", "string"]}
SWEEP = exact({
    "schema": VERSION, "provenance": ref("provenance"),
    "experiment": {**STRING, "description": "Name of the experiment"},
    "settings": {**listed(STRING), "description": "Keys that --set changed, each as KEY=VALUE"},
    "figure": {"enum": ["kernel-rate", "wall", "makespan", "overlap"], "description": "What table and plot show"},
    "axes": listed(exact({"key": STRING, "values": listed(VALUE)})),
    "points": {**listed(exact({
        "values": {**of("object", additionalProperties=VALUE), "description": "The combination: a value for each axis, by its key"},
        "runs": {**INTEGER, "description": "How many runs were timed; 0: none, see why_not"},
        "wall_ns": nullable(ref("statistic")), "makespan_ns": nullable(ref("statistic")),
        "kernel_ns": {**nullable(ref("statistic")), "description": "Time in which at least one tiles or attention kernel ran (ns)"},
        "kernel_bytes": {**nullable(INTEGER), "description": "Bytes that tiles and attention kernels read and write, at the least"},
        "kernel_bytes_per_s": nullable(NUMBER),
        "device_copy_bytes_per_s": {**nullable(NUMBER), "description": "Rate of a copy within the device, bytes read and written"},
        "share_of_copy_rate": nullable(NUMBER), "overlap": nullable(NUMBER), "observer_effect": nullable(NUMBER),
        "verified": nullable(FLAG),
        "same_as": {**nullable(INTEGER), "description": "Index of the earlier point, counted from 0, whose program is the same"},
        "why_not": {**nullable(STRING), "description": "Why the combination has no result"}})),
        "description": "Results of each combination; the last axis turns fastest"},
    "notes": listed(STRING), "note_kinds": listed({"enum": NOTE_KINDS})})
ERRORS = exact({
    "programs": INTEGER, "mean": NUMBER, "median": NUMBER, "percentile_95": NUMBER, "worst": NUMBER, "bias": NUMBER})
CALIBRATION = exact({
    "schema": VERSION,
    "provenance": exact({"kind": {"enum": ["measured", "model"]}, "device": STRING, "driver": nullable(STRING), "date": STRING}),
    "profile": {**STRING, "description": "File that the profile was written to"},
    "fitted_programs": INTEGER, "refused_programs": INTEGER,
    "before": {**ref("errors"), "description": "Errors of the profile that the calibration began with, on the programs to judge by"},
    "kept": {**FLAG, "description": "Whether the profile that the calibration began with was closer, so that its numbers stand"},
    "errors": ref("errors"), "large_pinned_copies": ref("errors"),
    "order": exact({"pairs": INTEGER, "alike": INTEGER, "share": NUMBER}),
    "families": listed(exact({**ERRORS["properties"], "name": STRING})),
    "programs": listed(exact({
        "name": STRING, "family": STRING, "measured_ns": NUMBER, "predicted_ns": NUMBER, "error": NUMBER}))})
EVENT = {  # of Chrome's format, as far as this program writes it
    "type": "object",
    "properties": {"ph": {"enum": ["M", "X", "s", "f"]}, "pid": INTEGER, "tid": INTEGER, "name": STRING,
                   "ts": {**NUMBER, "description": "us"}, "dur": {**of("number", minimum=0), "description": "us"},
                   "cat": STRING, "id": INTEGER, "bp": {"const": "e"}, "args": of("object")},
    "required": ["ph", "pid", "tid", "name"], "additionalProperties": False}
TRACE = exact({"traceEvents": listed(EVENT), "displayTimeUnit": {"const": "ns"}, "otherData": of("object"),
               "streamscope": ref("run")})


def schema_of_type(kind):
    if "list" in kind:
        return listed(schema_of_type(kind["list"]))
    if "record" in kind:
        return ref(kind["record"])
    return {"enum": [name for name in kind["enum"] if name != "none"]} if "enum" in kind else {"type": kind["type"]}


def described(schema, member):
    about = member["meaning"] + (f" ({member['unit']})" if member["unit"] else "")
    return schema if "description" in schema else {**schema, "description": about}


def record_schema(name, members):
    properties = {}
    for member in members:
        if member.get("computed"):
            schema = COMPUTED[name, member["key"]]
        else:
            schema = schema_of_type(member["type"])
            schema = nullable(schema) if member["may_be_null"] else schema
        properties[member["key"]] = described(schema, member)
    return exact(properties)


def experiment_schema(keys):
    """As the experiment's file has it: what it leaves out is left out here too."""
    properties = {}
    for member in keys["experiment"]:
        kind = member["type"]
        # A size is a text or a number of bytes.
        schema = {"type": ["string", "integer"]} if member["unit"] == "B" else None
        schema = schema or ({"type": "object"} if kind == {"type": "other"} else schema_of_type(kind))
        properties[member["key"]] = described(schema, member)
    options = {option.replace("-", "_") for kernel in keys["kernels"] for option in kernel["options"]}
    properties["kernel"]["properties"] = {option: {"type": ["string", "integer", "boolean"]}
                                          for option in ["name", *sorted(options)]}
    properties["kernel"]["additionalProperties"] = False
    return {"anyOf": [
        {"type": "object", "properties": properties, "additionalProperties": False},
        {**exact({"text": STRING}), "description": "Text of an experiment that is no TOML, in a file that another program wrote"}]}


def schema_of(keys):
    defs = {"run": record_schema("run", keys["run"]), "sweep": SWEEP,
            "devices": record_schema("device_list", keys["device_list"]), "calibration": CALIBRATION, "trace": TRACE}
    for name in ["provenance", "statistic", "observer_effect", "span", "kernel", "stream", "stages", "stage_block",
                 "prediction", "referee", "device_facts", "hand_over", "launch", "isolated_time", "device",
                 "skipped_gpu"]:
        defs[name] = record_schema(name, keys[name])
    # Written as an array, in the order of its keys.
    stage = [described(schema_of_type(m["type"]), m) for m in keys["stage"]]
    stage = [nullable(s) if m["may_be_null"] else s for s, m in zip(stage, keys["stage"])]
    defs["stage"] = {"type": "array", "prefixItems": stage, "items": False, "minItems": len(stage)}
    defs["experiment"] = experiment_schema(keys)
    defs["errors"] = {**ERRORS, "description": "Errors of predicted wall times, as parts of the measured ones"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The JSON files of Streamscope",
            "description": "--json of run, sweep, devices and calibrate, and --trace. Absent is null, never 0.",
            "anyOf": [ref(name) for name in ["run", "sweep", "devices", "calibration", "trace"]], "$defs": defs}


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
    if "enum" in kind:  # what is "none" is written as null
        return ", ".join(f"`{name}`" for name in kind["enum"] if name != "none")
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
                           "stage_block", "stage", "prediction", "referee", "device_facts", "hand_over", "launch",
                           "isolated_time", "device_list", "device", "skipped_gpu"]}
    tables["keys of an experiment"] = experiment_table(keys["experiment"])
    tables["keys of a profile"] = profile_table(keys["profile"])
    tables["kernels"] = kernels_table(keys["kernels"])
    tables["columns of a run"] = columns_table(csv_header, keys)
    return tables


TABLE = re.compile(r"(<!-- table: ([^>]*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def with_tables(page, tables):
    return TABLE.sub(lambda m: m[1] + "".join(f"{line}\n" for line in tables[m[2]]) + m[4], page)


def wrong_tables(page, tables):
    found = {m[2] for m in TABLE.finditer(page)}
    wrong = [f'docs/formats.md: the table "{name}" is missing' for name in sorted(set(tables) - found)]
    wrong += [f'docs/formats.md: nobody knows a table "{name}"' for name in sorted(found - set(tables))]
    if wrong:
        return wrong
    for m in TABLE.finditer(page):
        if m[3].splitlines() != tables[m[2]]:
            wrong.append(f'docs/formats.md: the table "{m[2]}" is not what the code has; write it anew with --update')
    return wrong


def missing_columns(page, heading, header):
    """Columns of a hand-written table against a file's."""
    section = page.split(f"\n{heading}\n", 1)[-1].split("\n#", 1)[0]
    named = re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE)
    return [] if named == header else [f"docs/formats.md, {heading}: has the columns {named}, a file has {header}"]


def properties_of(schema):
    """The keys of an object and of those within, whatever their depth."""
    found = set(schema.get("properties", ()))
    for each in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")]), *schema.get("anyOf", ())]:
        found |= properties_of(each)
    return found


def unnamed_keys(page, heading, schema):
    """Keys that a section written by hand does not name."""
    section = re.split(r"\n##+ ", page.split(f"\n{heading}\n", 1)[-1])[0]
    named = set(re.findall(r"`(\w+)`", section))
    return [f"docs/formats.md, {heading}: does not name the key {key}" for key in sorted(properties_of(schema) - named)]


FOREIGN = {"traceEvents": [
    {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 3, "name": "cudaLaunchKernel", "cat": "cuda_runtime", "args": {"correlation": 7}},
    {"ph": "X", "pid": 0, "tid": 7, "ts": 5, "dur": 9.5, "name": "gemm", "cat": "kernel",
     "args": {"correlation": 7, "stream": 7, "device": 0}}]}


def runs(root, folder):
    """(what it is, definition in the schema, arguments): the files to hold to the schema."""
    shipped = sorted((root / "assets/experiments").glob("*.toml")) + sorted((root / "assets/programs").glob("*.streams"))
    model = ["--device", "model", "--json", "-"]
    (folder / "foreign.json").write_text(json.dumps(FOREIGN))
    for file in shipped:
        yield file.name, "run", ["run", file, *model]
    yield "predicted", "run", ["run", "four-streams", *model, "--predict"]
    yield "predicted by another", "run", ["run", "event-dependency", *model, "--predict=model:one-copy-engine"]
    yield "inside kernels", "run", ["run", "tile-lab", *model, "--in-kernel", "10%"]
    yield "inside attention, predicted", "run", ["run", root / "assets/programs/attention.streams", *model, "--in-kernel", "1/50",
                                                 "--predict=model:h200"]
    for instrument in ["bare", "calls"]:
        yield instrument, "run", ["run", "pageable", *model, "--instrument", instrument, "--repeat", "4"]
    yield "a trace", "trace", ["run", "tile-lab", "--device", "model", "--in-kernel", "10%", "--predict", "--trace", "-"]
    yield "a trace of another tool", "run", ["run", folder / "foreign.json", "--json", "-"]
    yield "a saved run", "run", ["run", root / "tests/golden/small-run.json", "--json", "-"]
    yield "a saved trace", "run", ["run", root / "tests/golden/model-pipeline.trace.json", "--json", "-"]
    yield "a sweep", "sweep", ["sweep", "four-streams", "--device", "model", "--axis", "streams=[1,4]", "--axis",
                               "host=[pinned,pageable]", "--json", "-"]
    yield "a sweep of tiles", "sweep", ["sweep", "tile-lab", "--device", "model", "--axis", "kernel.stages=[1,2,8]", "--axis",
                                        "kernel.copy=[sync,pipeline]", "--axis", "kernel.tile=[16KiB,64KiB]", "--json", "-"]
    yield "devices", "devices", ["devices", "--json", "-"]
    yield "a calibration", "calibration", ["calibrate", "--device", "model", "--programs", "12", "--no-probes", "--time", "2s", "-o",
                                           folder / "profile.toml", "--json", "-"]


def parsed(text):
    return json.loads(text, parse_constant=lambda what: f"{what} is no JSON")


def first_error(validator, value):
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if error is None:
        return None
    return f"at {'/'.join(map(str, error.absolute_path)) or 'the top'}: {error.message[:300]}"


def validator(schema, name):
    return jsonschema.Draft202012Validator({**ref(name), "$defs": schema["$defs"]})


FREE = {"by_name", "ns_by_name", "values", "args", "otherData"}  # keys that are data


def changed_keys(value, path=()):
    """Copies of a file with one key added or one taken away, and what was done."""
    if isinstance(value, list):
        value = dict(enumerate(value[:1]))
        for i, each in value.items():
            for what, changed in changed_keys(each, (*path, i)):
                yield what, [changed]
        return
    if not isinstance(value, dict):
        return
    yield f"{'/'.join(map(str, path))} with a key more", {**value, "surplus": 1}
    for key, each in value.items():
        if "experiment" not in path[:1]:
            yield f"{'/'.join(map(str, path))} without {key}", {k: v for k, v in value.items() if k != key}
        if key in FREE:
            continue
        for what, changed in changed_keys(each, (*path, key)):
            yield what, {**value, key: changed}


def trimmed(value):
    """Lists cut to their first element: one of each will do."""
    if isinstance(value, dict):
        return {key: trimmed(each) for key, each in value.items()}
    return [trimmed(each) for each in value[:1]] if isinstance(value, list) and value[:1] and isinstance(value[0], (dict, list)) else value


def unseen_changes(check, value):
    tried, unseen = 0, []
    value = trimmed(value)
    for what, changed in changed_keys(value):
        tried += 1
        if check.is_valid(changed):
            unseen.append(f"docs/formats.schema.json: does not see {what}")
    return tried, unseen


def output(program, arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        raise RuntimeError(f"streamscope {' '.join(map(str, arguments))}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def self_test():
    schema = schema_of_type({"list": {"record": "a"}})
    defs = {"a": exact({"k": nullable(INTEGER)})}
    check = jsonschema.Draft202012Validator({**schema, "$defs": defs})
    assert check.is_valid([{"k": 1}, {"k": None}])
    tried, unseen = unseen_changes(check, [{"k": 1}])
    assert (tried, unseen) == (2, []), (tried, unseen)
    loose = jsonschema.Draft202012Validator({"type": "array", "items": {"type": "object"}})
    assert len(unseen_changes(loose, [{"k": 1}])[1]) == 2
    page = "<!-- table: a -->\nold\n<!-- end -->\n"
    assert wrong_tables(page, {"a": ["new"]}) and not wrong_tables(with_tables(page, {"a": ["new"]}), {"a": ["new"]})
    assert wrong_tables(page, {"a": ["old"], "b": []}) and wrong_tables(page, {})
    assert unnamed_keys("\n## S\n`a`\n## T\n`b`\n", "## S", exact({"a": INTEGER, "b": listed(exact({"c": STRING}))})) == [
        "docs/formats.md, ## S: does not name the key b", "docs/formats.md, ## S: does not name the key c"]
    assert missing_columns("\n## S\n| `a` | x |\n", "## S", ["a", "b"])


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root, keys_program, program = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    keys = json.loads(subprocess.run([keys_program], capture_output=True, text=True, check=True).stdout)
    page_file, schema_file = root / "docs/formats.md", root / "docs/formats.schema.json"
    header = output(program, ["run", "four-streams", "--device", "model", "--csv", "-"]).split("\n", 1)[0].split(",")
    tables, schema = tables_of(keys, header), schema_of(keys)
    text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    if sys.argv[4:] == ["--update"]:
        page_file.write_text(with_tables(page_file.read_text(), tables))
        schema_file.write_text(text)
        return
    jsonschema.Draft202012Validator.check_schema(schema)
    page = page_file.read_text()
    wrong = wrong_tables(page, tables)
    if schema_file.read_text() != text:
        wrong.append("docs/formats.schema.json: is not what the code has; write it anew with --update")
    schema = json.loads(schema_file.read_text())
    sweep_header = output(program, ["sweep", "one-stream", "--device", "model", "--axis", "streams=[1]", "--csv", "-"])
    wrong += missing_columns(page, "## CSV of a sweep", sweep_header.split("\n", 1)[0].split(",")[1:])

    for heading, shape in [("### analysis", ANALYSIS), ("## JSON of a sweep", SWEEP), ("## JSON of a calibration", CALIBRATION)]:
        wrong += unnamed_keys(page, heading, shape)

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        every = list(runs(root, pathlib.Path(folder)))
        validators = {name: validator(schema, name) for name in {name for _, name, _ in every}}
        files = {}
        for (what, name, _), done in zip(every, pool.map(lambda each: output(program, each[2]), every)):
            files[what] = parsed(done)
            if error := first_error(validators[name], files[what]):
                wrong.append(f"{what}: {error}")
    # The golden run has what only measurements have.
    for golden in ["small-run", "model-pipeline"]:
        files[golden] = parsed((root / f"tests/golden/{golden}.json").read_text())
        if error := first_error(validators["run"], files[golden]):
            wrong.append(f"tests/golden/{golden}.json: {error}")
    tried = 0
    for what, name in [("small-run", "run"), ("inside attention, predicted", "run"), ("a sweep", "sweep"),
                       ("devices", "devices"), ("a calibration", "calibration")]:
        more, unseen = unseen_changes(validators[name], files[what])
        tried += more
        wrong += unseen
    print("\n".join(wrong) or f"{len(files)} files, and {tried} changes of a key seen")
    sys.exit(1 if wrong else 0)


main()
