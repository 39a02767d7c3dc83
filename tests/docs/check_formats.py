#!/usr/bin/env python3
"""docs/formats.md and docs/formats.schema.json against the code and against files that the program writes.

    check_formats.py ROOT KEYS STREAMSCOPE            prints what is wrong; KEYS is the executable format_keys
    check_formats.py ROOT KEYS STREAMSCOPE --update   writes the page's tables and the schema anew from the descriptions
    check_formats.py --self-test

Both are made of the descriptions in the code (format_schema.py, format_tables.py). Every file is then held to the
schema: each object has exactly its keys, and what may be absent is null.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

from format_schema import ANALYSIS, CALIBRATION, INTEGER, STRING, SWEEP, VERDICT, exact, listed, nullable, ref, schema_of, \
    schema_of_type
from format_tables import tables_of

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
        yield file.name, "run", ["run", file, "--device", "model:h200x2", "--json", "-"]  # some are of two devices
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
    for name in ["four-streams", "pageable", "default-stream-trap"]:
        yield f"a verdict on {name}", "verdict", ["explain", name, "--device", "model", "--json", "-"]
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


FREE = {"idle", "by_name", "ns_by_name", "values", "args", "otherData"}  # keys that are data


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

    for heading, shape in [("### analysis", ANALYSIS), ("## JSON of a verdict", VERDICT), ("## JSON of a sweep", SWEEP),
                            ("## JSON of a calibration", CALIBRATION)]:
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
                       ("a verdict on pageable", "verdict"),
                       ("devices", "devices"), ("a calibration", "calibration")]:
        more, unseen = unseen_changes(validators[name], files[what])
        tried += more
        wrong += unseen
    print("\n".join(wrong) or f"{len(files)} files, and {tried} changes of a key seen")
    sys.exit(1 if wrong else 0)


main()
