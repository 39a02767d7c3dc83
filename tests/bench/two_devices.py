#!/usr/bin/env python3
"""Writes generated stream programs of two devices, the same ones for a seed each time, for `bench_model walls FILE...`.

    two_devices.py SEED COUNT DIR

Families: data split over both, a pipeline from one to the other, halos exchanged between two halves, each half gathered
on both, and work at random with waits across.
"""
import random
import sys
from pathlib import Path

FAMILIES = ["split", "pipeline", "halo", "gather", "mixed"]


def kib(value):
    return f"{value}KiB"


def piece(random_, buffer, whole, least=64):
    size = random_.choice([least, 256, 1024, 4096])
    size = min(size, whole)
    return f"{buffer}[{4 * random_.randrange((whole - size) // 4 + 1)}KiB:{size}KiB]"


def split(r):
    chunk, fma = r.choice([512, 1024, 4096]), r.choice([16, 200, 1000])
    lines = [f"buffer x {kib(8 * chunk)} device=0,1", "streams S 2 nonblocking", "streams T 2 device=1 nonblocking"]
    for c in range(8):
        on = f"{'ST'[c % 2]}{c // 2 % 2}"
        part = f"x[{c * chunk}KiB:{chunk}KiB]"
        lines += [f"{on}: h2d {part}", f"{on}: axpb {part} fma={fma}", f"{on}: d2h {part}"]
    return lines


def pipeline(r):
    chunk, fma, count = r.choice([256, 1024, 4096]), r.choice([16, 200, 1000]), r.choice([4, 6, 10])
    lines = [f"buffer x {kib(count * chunk)} device=0,1", "streams S 2 nonblocking", "streams T 2 device=1 nonblocking"]
    for c in range(count):
        part = f"x[{c * chunk}KiB:{chunk}KiB]"
        a, b = f"S{c % 2}", f"T{c % 2}"
        lines += [f"{a}: h2d {part}", f"{a}: axpb {part} fma={fma}", f"{a}: peer {part}@1 {part}@0", f"{a}: record e{c}",
                  f"{b}: wait e{c}", f"{b}: axpb {part} fma={fma}", f"{b}: d2h {part}"]
    return lines


def halo(r):
    half, edge = r.choice([4096, 16384]), r.choice([64, 256, 1024])
    fma, steps = r.choice([16, 100, 400]), r.choice([2, 4, 8])
    lines = [f"buffer x {kib(half + edge)} device=0,1", "stream A nonblocking", "stream B device=1 nonblocking"]
    for step in range(steps):
        lines += [f"A: axpb x[0KiB:{half}KiB] fma={fma}", f"A: record a{step}",
                  f"B: axpb x[0KiB:{half}KiB] fma={fma}", f"B: record b{step}",
                  f"A: wait b{step}", f"A: peer x[{half}KiB:{edge}KiB]@0 x[0KiB:{edge}KiB]@1", f"A: record c{step}",
                  f"B: wait a{step}", f"B: peer x[{half}KiB:{edge}KiB]@1 x[0KiB:{edge}KiB]@0", f"B: record d{step}",
                  f"A: wait d{step}", f"B: wait c{step}"]
    return lines


def gather(r):
    half, fma, rounds = r.choice([512, 2048, 8192]), r.choice([16, 200]), r.choice([1, 2, 4])
    lines = [f"buffer x {kib(2 * half)} device=0,1", "stream A nonblocking", "stream B device=1 nonblocking",
             f"A: h2d x[0KiB:{half}KiB]", f"B: h2d x[{half}KiB:{half}KiB]"]
    for k in range(rounds):
        lines += [f"A: axpb x[0KiB:{half}KiB] fma={fma}", f"B: axpb x[{half}KiB:{half}KiB] fma={fma}",
                  f"A: peer x[0KiB:{half}KiB]@1 x[0KiB:{half}KiB]@0", f"A: record a{k}",
                  f"B: peer x[{half}KiB:{half}KiB]@0 x[{half}KiB:{half}KiB]@1", f"B: record b{k}",
                  f"A: wait b{k}", f"B: wait a{k}"]
    return lines + [f"A: d2h x[0KiB:{half}KiB]", f"B: d2h x[{half}KiB:{half}KiB]"]


def mixed(r):
    whole = 16384
    lines = [f"buffer x {kib(whole)} device=0,1", "streams S 2 nonblocking", "streams T 2 device=1 nonblocking"]
    for k in range(r.choice([10, 20, 30])):
        device = r.randrange(2)
        on = f"{'ST'[device]}{r.randrange(2)}"
        part = piece(r, "x", whole)
        what = r.choice(["h2d", "d2h", "axpb", "peer", "wait", "memset"])
        if what == "axpb":
            lines.append(f"{on}: axpb {part} fma={r.choice([1, 64, 500])}")
        elif what == "peer":
            lines.append(f"{on}: peer {part}@{1 - device} {part}@{device}")
        elif what == "wait":
            other = f"{'ST'[1 - device]}{r.randrange(2)}"
            lines += [f"{on}: record w{k}", f"{other}: wait w{k}"]
        elif what == "memset":
            lines.append(f"{on}: memset {part} {r.randrange(256)}")
        else:
            lines.append(f"{on}: {what} {part}")
    return lines


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        r = random.Random(1_000_003 * seed + index)
        family = FAMILIES[index % len(FAMILIES)]
        lines = globals()[family](r)
        if r.randrange(2):
            at = next(i for i, line in enumerate(lines) if ": " in line)
            lines.insert(at, "host: peer 0 1 on")
        (folder / f"{family}-{seed}-{index}.streams").write_text("\n".join(lines) + "\n")


main()
