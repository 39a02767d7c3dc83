"""Loads traces the way Perfetto's importer does and fails where it would drop or misplace something.

    import_trace.py TRACE...        traces that must load whole
    import_trace.py --self-test     spoils a good trace in several ways and expects each to be found

The rules, from the importer's behaviour: events are sorted by time, those at one time stay in the file's order; a track
is a stack of open slices; a slice that outlasts the one it begins in is dropped; a flow's ends bind to the slice that is
open on their track; an end before its begin binds to nothing; a thread is known by its id alone.
"""
import copy
import json
import sys
from decimal import Decimal


def load(text):
    return json.loads(text, parse_float=Decimal)


def import_trace(trace):
    """(slices by track, arrows between slices, complaints)"""
    complaints, threads, names = [], {}, {}
    events = trace["traceEvents"]
    for event in events:
        if event["ph"] != "M":
            threads.setdefault(event["tid"], set()).add(event["pid"])
        elif event["name"] == "thread_name":
            names.setdefault(event["tid"], set()).add(event["args"]["name"])
    for tid, processes in threads.items():
        if len(processes) > 1:
            complaints.append(f"thread id {tid} stands in processes {sorted(processes)}")
        if len(names.get(tid, ())) != 1:
            complaints.append(f"thread id {tid} has names {sorted(names.get(tid, ()))}")

    slices, open_slices, begun, arrows = {}, {}, {}, []
    timed = sorted((e for e in events if e["ph"] != "M"), key=lambda e: e["ts"])
    for event in timed:
        track, now = event["tid"], event["ts"]
        stack = open_slices.setdefault(track, [])
        if event["ph"] == "X":
            while stack and stack[-1]["ts"] + stack[-1]["dur"] <= now:
                stack.pop()
            if stack:
                fate = "nested in" if now + event["dur"] <= stack[-1]["ts"] + stack[-1]["dur"] else "dropped at the end of"
                complaints.append(f"{event['name']} at {now} is {fate} {stack[-1]['name']}")
            stack.append(event)
            slices.setdefault(track, []).append(event)
        elif event["ph"] == "s":
            if not stack or stack[-1]["ts"] + stack[-1]["dur"] < now:
                complaints.append(f"flow {event['id']} begins outside of any slice")
            elif event["id"] in begun:
                complaints.append(f"flow {event['id']} begins twice")
            else:
                begun[event["id"]] = stack[-1]
        elif event["ph"] == "f":
            start = begun.pop(event["id"], None)
            if start is None:
                complaints.append(f"flow {event['id']} ends before it begins")
            elif event.get("bp") != "e" or not stack or stack[-1]["ts"] + stack[-1]["dur"] < now:
                complaints.append(f"flow {event['id']} ends outside of any slice")
            else:
                arrows.append((start, stack[-1]))
    complaints += [f"flow {one} never ends" for one in begun]
    return slices, arrows, complaints


def check(trace):
    slices, arrows, complaints = import_trace(trace)
    for start, end in arrows:
        if start["args"]["op"] != end["args"]["op"]:
            complaints.append(f"the arrow from operation {start['args']['op']} points at {end['args']['op']}")
    # Each slice stands where the run that travels along says the operation was.
    spans = {span["op"]: span for span in trace["streamscope"]["spans"]}
    for slice_ in (one for track in slices.values() for one in track):
        span = spans[slice_["args"]["op"]]
        begin, end = ("host_begin_ns", "host_end_ns") if slice_["pid"] == 1 else ("start_ns", "end_ns")
        if slice_["ts"] * 1000 != span[begin] or (slice_["ts"] + slice_["dur"]) * 1000 != span[end]:
            complaints.append(f"operation {span['op']} is not where its span says, in process {slice_['pid']}")
    if not slices or not arrows:
        complaints.append("no slices, or no arrows")
    return complaints


GOOD = """{"traceEvents":[
{"ph":"M","pid":1,"tid":10,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":1,"tid":10,"ts":0.000,"dur":1.500,"cat":"cuda_runtime","name":"call","args":{"op":0}},
{"ph":"s","pid":1,"tid":10,"ts":0.000,"cat":"ac2g","name":"ac2g","id":0},
{"ph":"X","pid":1,"tid":10,"ts":1.500,"dur":1.000,"cat":"cuda_runtime","name":"call","args":{"op":1}},
{"ph":"M","pid":2,"tid":11,"name":"thread_name","args":{"name":"S0"}},
{"ph":"X","pid":2,"tid":11,"ts":2.000,"dur":3.001,"cat":"kernel","name":"axpb","args":{"op":0}},
{"ph":"f","pid":2,"tid":11,"ts":2.000,"cat":"ac2g","name":"ac2g","id":0,"bp":"e"},
{"ph":"X","pid":2,"tid":11,"ts":5.001,"dur":1.000,"cat":"kernel","name":"axpb","args":{"op":1}}],
"streamscope":{"spans":[{"op":0,"host_begin_ns":0,"host_end_ns":1500,"start_ns":2000,"end_ns":5001},
{"op":1,"host_begin_ns":1500,"host_end_ns":2500,"start_ns":5001,"end_ns":6001}]}}"""


def self_test():
    spoils = {
        "overlap": lambda e: e[7].update(ts=Decimal("5.000")),
        "flow too early": lambda e: e[6].update(ts=Decimal("-1.000")),
        "flow off a slice": lambda e: e[6].update(ts=Decimal("9.000")),
        "arrow to another": lambda e: e[6].update(ts=Decimal("5.500")),
        "no binding": lambda e: e[6].pop("bp"),
        "no end": lambda e: e.pop(6),
        "shared thread id": lambda e: [one.update(tid=10) for one in e],
        "no name": lambda e: e.pop(4),
        "a nanosecond lost": lambda e: e[5].update(dur=Decimal("3.000")),
    }
    failures = [f"the good trace: {found}" for found in check(load(GOOD))]
    for what, spoil in spoils.items():
        bad = copy.deepcopy(load(GOOD))
        spoil(bad["traceEvents"])
        if not check(bad):
            failures.append(f"not found: {what}")
    print(*failures or [f"{len(spoils)} spoiled traces found"], sep="\n")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if not sys.argv[1:]:
        print(__doc__)
        return 2
    bad = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            complaints = check(load(file.read()))
        for complaint in complaints:
            print(f"{name}: {complaint}")
        bad += bool(complaints)
    return 1 if bad else 0


sys.exit(main())
