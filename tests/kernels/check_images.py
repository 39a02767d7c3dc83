#!/usr/bin/env python3
"""Which GPUs a program has kernels for: reads the fat binaries in it, and prints those without PTX for 7.5.

    check_images.py PROGRAM
    check_images.py --self-test
"""
import struct
import sys

LOWEST = 75
MAGIC = struct.pack("<I", 0xBA55ED50)
PTX, MACHINE_CODE = 1, 2


def images(data):
    """For each fat binary the set of (kind, architecture) that it holds."""
    found = []
    at = data.find(MAGIC)
    while at >= 0:
        _, version, header, size = struct.unpack_from("<IHHQ", data, at)
        entry, end = at + header, at + header + size
        if version == 1 and header == 16 and end <= len(data):
            kinds = set()
            while entry + 32 <= end:
                kind, _, entry_header, entry_size = struct.unpack_from("<HHIQ", data, entry)
                (architecture,) = struct.unpack_from("<I", data, entry + 28)
                if kind in (PTX, MACHINE_CODE):
                    kinds.add((kind, architecture))
                entry += entry_header + entry_size
            found.append(kinds)
        at = data.find(MAGIC, at + 4)
    return found


def wrong(data):
    all_images = images(data)
    if not all_images:
        return ["no kernels found"]
    return [f"fat binary {i}: no PTX for {LOWEST}, but {sorted(kinds)}"
            for i, kinds in enumerate(all_images)
            if not any(kind == PTX and architecture <= LOWEST for kind, architecture in kinds)]


def fat_binary(*entries):
    body = b"".join(struct.pack("<HHIQ", kind, 0x101, 64, 8) + bytes(12) + struct.pack("<I", architecture) + bytes(32 + 8)
                    for kind, architecture in entries)
    return MAGIC + struct.pack("<HHQ", 1, 16, len(body)) + body


def self_test():
    good = fat_binary((MACHINE_CODE, 90), (PTX, 90), (PTX, 75))
    bad = fat_binary((MACHINE_CODE, 75), (PTX, 90))
    assert images(b"x" + good) == [{(MACHINE_CODE, 90), (PTX, 90), (PTX, 75)}]
    assert wrong(good + good) == []
    assert len(wrong(good + bad)) == 1
    assert wrong(b"nothing") == ["no kernels found"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif len(sys.argv) == 2:
        with open(sys.argv[1], "rb") as program:
            lines = wrong(program.read())
        print("\n".join(lines), end="\n" if lines else "")
        sys.exit(1 if lines else 0)
    else:
        sys.exit(__doc__)
