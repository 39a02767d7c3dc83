"""The JSON Schema of the files that the program writes.

It is made of the descriptions in the code (tests/support/format_keys.cpp prints them); what is computed while a file is
written has no type there and is said here.
"""


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
            "engine": {"enum": ["h2d", "d2h", "compute", "peer"]}, "busy_ns": TIME, "use": nullable(NUMBER),
            "bytes": nullable(INTEGER), "operations": INTEGER, "device_index": INTEGER})),
        "api_calls": nullable(exact({"total": INTEGER, "by_name": COUNTED, "ns": TIME, "ns_by_name": COUNTED})),
        "serial_source": {"enum": ["unknown", "measured", "simulated", "durations"]},
        "sticky_error": nullable(exact({
            "error": STRING, "fault": nullable(INTEGER), "failed_ns": nullable(TIME), "told_ns": TIME,
            "until_ns": TIME, "calls": INTEGER, "reset_ns": nullable(TIME)}))}),
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
CAUSES = ["fault", "hazard", "pageable-copy", "implicit-sync", "driver-lock", "legacy-barrier", "host-sync",
          "launch-queue-full", "host-late", "event-needless", "event-late", "graph-serial", "pool-reuse",
          "page-migration", "mapped-access", "peer-staged", "copy-engine-shared", "issue-order", "chunks-too-small",
          "one-stream", "priority", "sm-full", "tile-stages", "divergence", "chunks-too-large", "at-the-bound",
          "engine-busy", "unexplained"]
WAIT_CAUSES = ["stream", "event", "legacy", "graph", "pool", "gate", "queue", "engine", "other-direction", "host-functions",
               "blocks", "room", "priority", "hand-over", "unexplained"]
IDLE_CAUSES = ["hand-over", "queue", "stream", "event", "legacy", "graph", "pool", "gate", "unexplained", "host-wait",
               "host-call", "host-work", "between-calls", "fill", "drain"]
CALL_CAUSES = ["usual", "waiting", "implicit-sync", "queue-full", "staging", "driver-lock", "migration", "unexplained"]
SLOW_CAUSES = ["alone", "bus", "multiprocessors", "memory", "migration", "unexplained"]


def slices_by(causes):
    return listed(exact({"op": INTEGER, "slices": listed(exact({
        "cause": {"enum": causes}, "by_op": nullable(INTEGER), "ns": TIME, "certain": FLAG}))}))


HELP = exact({"change": STRING, "diff": STRING, "predicted_ns": TIME, "low_ns": TIME, "high_ns": TIME,
              "measured_ns": nullable(TIME), "sure": FLAG})
PATH = listed(exact({
    "kind": {"enum": ["execution", "hand-over", "call", "work", "wait", "wake", "between-calls", "thread-start",
                      "unexplained"]},
    "op": nullable(INTEGER), "line": nullable(INTEGER), "cause": {"enum": WAIT_CAUSES}, "from_ns": TIME, "to_ns": TIME}))
VERDICT = exact({
    "schema": VERSION, "makespan_ns": nullable(TIME), "wall_ns": nullable(TIME),
    "verdict": listed(exact({"cause": {"enum": CAUSES}, "cost_ns": TIME, "share": NUMBER, "lines": listed(INTEGER),
                             "ops": listed(INTEGER), "text": STRING, "help": nullable(HELP)})),
    "others": listed(HELP),
    "bounds": listed(exact({"name": STRING, "ns": TIME, "uncertainty_ns": TIME})), "over_bound": nullable(NUMBER),
    "path": PATH, "wall_path": PATH,
    "idle": of("object", additionalProperties=listed(exact({"cause": {"enum": IDLE_CAUSES}, "ns": TIME}))),
    "waits": slices_by(WAIT_CAUSES),
    "calls": slices_by(CALL_CAUSES), "slowed": slices_by(SLOW_CAUSES), "slack_ns": listed(nullable(TIME))})
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
        "engine": {**nullable(STRING), "description": "Which of several engines ran it, by the command that starts it; null: there was one"},
        "device": {**nullable(STRING), "description": "Name of that engine's device"},
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


# What is "none" is written as null, where that may be.
def schema_of_type(kind, may_be_null=False):
    if "list" in kind:
        return listed(schema_of_type(kind["list"]))
    if "record" in kind:
        return ref(kind["record"])
    return {"enum": [name for name in kind["enum"] if name != "none" or not may_be_null]} if "enum" in kind else {"type": kind["type"]}


def described(schema, member):
    about = member["meaning"] + (f" ({member['unit']})" if member["unit"] else "")
    return schema if "description" in schema else {**schema, "description": about}


def record_schema(name, members):
    properties = {}
    for member in members:
        if member.get("computed"):
            schema = COMPUTED[name, member["key"]]
        else:
            schema = schema_of_type(member["type"], member["may_be_null"])
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
    defs = {"run": record_schema("run", keys["run"]), "sweep": SWEEP, "verdict": VERDICT,
            "devices": record_schema("device_list", keys["device_list"]), "calibration": CALIBRATION, "trace": TRACE}
    for name in ["provenance", "statistic", "observer_effect", "span", "kernel", "stream", "stages", "stage_block",
                 "prediction", "referee", "device_facts", "hand_over", "launch", "isolated_time", "poll_answer",
                 "stream_attributes", "capture_answer", "device", "skipped_gpu"]:
        defs[name] = record_schema(name, keys[name])
    # Written as an array, in the order of its keys.
    stage = [described(schema_of_type(m["type"], m["may_be_null"]), m) for m in keys["stage"]]
    stage = [nullable(s) if m["may_be_null"] else s for s, m in zip(stage, keys["stage"])]
    defs["stage"] = {"type": "array", "prefixItems": stage, "items": False, "minItems": len(stage)}
    defs["experiment"] = experiment_schema(keys)
    defs["errors"] = {**ERRORS, "description": "Errors of predicted wall times, as parts of the measured ones"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The JSON files of Streamscope",
            "description": "--json of run, explain, sweep, devices and calibrate, and --trace. Absent is null, never 0.",
            "anyOf": [ref(name) for name in ["run", "verdict", "sweep", "devices", "calibration", "trace"]], "$defs": defs}
