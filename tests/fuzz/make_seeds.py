"""Writes the small files that the fuzz targets begin with, and words.dict, what such files are made of.

    make_seeds.py SOURCE_TREE FOLDER
"""
import pathlib
import re
import sqlite3
import sys

EVENTS = """{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":10.5,"dur":3,"args":{"correlation":4}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":"15","dur":2e0,"args":{"device":0,"stream":7,"correlation":4}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","ts":20,"dur":1,"args":{"stream":8,"bytes":64}},
{"ph":"B","name":"b","pid":1,"tid":2,"ts":1},{"ph":"E","pid":1,"tid":2,"ts":2},{"ph":"i","name":"\\u4e2d","ts":3,"s":"g"},
{"ph":"b","cat":"c","id":"0x1","name":"a","pid":1,"ts":4},{"ph":"e","cat":"c","id":"0x1","pid":1,"ts":6},
{"ph":"b","id2":{"local":"7"},"ts":4},{"ph":"n","id2":{"global":8},"ts":5},{"ph":"s","id":1,"ts":1},{"ph":"C","ts":1},
{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},{"ph":"M","name":"thread_sort_index","args":{"sort_index":-1}}]}"""

DICTIONARY = ("traceEvents ph name cat pid tid ts dur args id id2 local global correlation bytes device stream sort_index "
              "kernel gpu_memcpy cuda_runtime process_name thread_name schema spans op kind line engine host_begin_ns "
              "start_ns end_ns reason prediction stages blocks places tiles_ns every names threads streams kernels "
              "provenance streamscope NaN null true -9223372036854775808 9223372036854775807 4611686018427387904 1e308 "
              "\\\\ud83d\\\\ude00 stream streams buffer event repeat graph thread host h2d d2h d2d memset record wait sync poll "
              "launch kernel spin axpb tiles blocks= priority= nonblocking pinned pageable from to on as 1MiB 10us {i%4} "
              "value origin measured datasheet assumed size time rate 1500ns 64KiB 55.5GB/s type").split()


MESSAGES = [{"type": "hello", "protocol": 1, "program": "0.1"}, {"type": "ask-devices"}, {"type": "stop", "id": 7},
            {"type": "passes", "id": 7, "done": 1, "total": 300}]


def cbor(value):
    """A message's body, as RFC 8949 has it."""
    def head(major, number):
        for extra, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if number < 24:
                return bytes([major << 5 | number])
            if number < 1 << 8 * width:
                return bytes([major << 5 | extra]) + number.to_bytes(width, "big")
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(of) for key, of in value.items())


def frame(message):
    body = cbor(message)
    return len(body).to_bytes(4, "little") + body


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    for name in ("saved_run", "trace_events", "nsys", "streams", "experiment", "profile", "messages"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, assets in (("streams", "programs"), ("experiment", "experiments"), ("profile", "devices")):
        for path in (source / "assets" / assets).iterdir():
            (folder / name / path.name).write_bytes(path.read_bytes())
    for number, message in enumerate(MESSAGES):
        (folder / f"messages/{number}").write_bytes(frame(message))
    (folder / "messages/all").write_bytes(b"".join(map(frame, MESSAGES)))
    saved = (source / "tests/golden/small-run.json").read_text()
    (folder / "saved_run/small.json").write_text(saved)
    (folder / "saved_run/one.json").write_text(
        '{"schema":1,"runs":1,"provenance":{"kind":"model"},"spans":[{"op":0,"kind":"kernel","name":"k","stream":"S","thread":"main","start_ns":1,'
        '"end_ns":2}],"stages":{"every":1,"blocks":[{"op":0,"places":2,"begin_ns":1,"end_ns":2,"tiles_ns":[[0,1,1,2,2]]}]},'
        '"prediction":{"wall_ns":1,"spans":[{"op":0}]},"kernels":[{"op":0,"flops":1e3}],"names":["k"],"threads":["main"]}')
    (folder / "trace_events/events.json").write_text(EVENTS)
    (folder / "trace_events/bare.json").write_text(EVENTS[EVENTS.index("["):].split("traceEvents\":")[-1][:-1])
    (folder / "trace_events/saved.json").write_text('{"traceEvents":[],"streamscope":' + saved + "}")
    (folder / "words.dict").write_text("".join(f'"{word}"\n' for word in DICTIONARY))
    statements = re.search(r'R"\((.*?)\)"', (source / "tests/engine/input/nsys_case.h").read_text(), re.S).group(1)
    path = folder / "nsys/export.sqlite"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript("PRAGMA page_size=512;" + statements)
    database.close()
    (folder / "nsys/tables").write_bytes(bytes(range(256)) * 4)


main()
