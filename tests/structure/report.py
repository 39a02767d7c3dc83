"""Prints the house: its rooms with their size and what each uses, circles of includes, and the longest files.

    report.py [SOURCE_TREE]          the tree this script lies in where none is named
"""
import collections
import pathlib
import sys

import rooms
import source_tree


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    tree = source_tree.SourceTree(root)
    files, lines, uses = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for file, text in tree.text.items():
        room = tree.room(file)
        files[room] += 1
        lines[room] += text.count("\n")
        uses[room] |= {tree.room(target) for target in tree.own_includes(file)} - {room}
    print(f"{'room':<24}{'namespace':<14}{'files':>6}{'lines':>8}  uses")
    for room in rooms.ROOMS:
        namespace = "::".join(filter(None, ["", rooms.NAMESPACES[room]])) or "::"
        used = " ".join(sorted(other.removeprefix("engine/").removeprefix("app/") for other in uses[room] if other))
        print(f"{room:<24}{namespace:<14}{files[room]:>6}{lines[room]:>8}  {used}")
    print(f"{'in all':<38}{sum(files.values()):>6}{sum(lines.values()):>8}")

    cycles = tree.cycles()
    print(f"\ncircles of components that include each other: {len(cycles)}")
    for circle in cycles:
        print(f"  {len(circle)}: {', '.join(circle)}")

    longest = sorted(tree.text, key=lambda file: -tree.text[file].count("\n"))[:12]
    print("\nlongest files")
    for file in longest:
        print(f"  {tree.text[file].count(chr(10)):>5}  {file}")
    return 0


sys.exit(main())
