"""Draws docs/rooms.svg: the rooms of the sources, and which includes which, read from the sources themselves.

    draw_rooms.py SOURCE_TREE             writes the picture anew
    draw_rooms.py SOURCE_TREE --check     prints what is wrong where the picture is not that of the sources
    draw_rooms.py --self-test

A room stands one row below the last of those that it uses. An arrow leads from a room to one that uses it; none is
drawn where a way over other rooms says the same. The layout uses whole numbers only, so it is the same everywhere.
"""
import collections
import pathlib
import sys

import rooms
import source_tree

ROW, WIDTH, HEIGHT, GAP, LANE, MARGIN = 70, 118, 30, 22, 16, 24
# By the beginning of a room's name: fill and line.
LOOKS = [("app", "#fdf0dc", "#c98a1b"), ("engine/device", "#dff2ea", "#1f8f68"), ("engine", "#e6eefa", "#4a78b8"),
         ("kernels", "#dff2ea", "#1f8f68")]
WORDS = {"app": "window, command line", "engine/device": "what runs a program", "engine": "engine"}


def uses_of(tree):
    uses = {room: set() for room in rooms.ROOMS}
    for file in tree.text:
        room = tree.room(file)
        uses[room] |= {tree.room(target) for target in tree.own_includes(file)} - {room}
    return uses


def reachable(uses):
    reach = {}
    def of(room):
        if room not in reach:
            reach[room] = set(uses[room]).union(*(of(other) for other in uses[room]))
        return reach[room]
    for room in uses:
        of(room)
    return reach


def without_detours(uses):
    """The uses that follow from no others."""
    reach = reachable(uses)
    return {room: {other for other in used if not any(other in reach[between] for between in used)}
            for room, used in uses.items()}


def rows_of(uses):
    row = {}
    def of(room):
        if room not in row:
            row[room] = 1 + max((of(other) for other in uses[room]), default=-1)
        return row[room]
    for room in uses:
        of(room)
    return row


def chains_of(edges, row):
    """Each edge as its stops, one a row: between two rooms further apart it passes through places of its own."""
    return [[low, *((low, high, at) for at in range(row[low] + 1, row[high])), high] for low, high in edges]


def placed(chains, row):
    """Where the middle of each stop is, from the left."""
    rows = collections.defaultdict(list)
    for room in sorted(row):
        rows[row[room]].append(room)
    before, after = collections.defaultdict(list), collections.defaultdict(list)
    for chain in chains:
        for one, other in zip(chain, chain[1:]):
            before[other].append(one)
            after[one].append(other)
        for stop in chain[1:-1]:
            rows[stop[2]].append(stop)
    width = lambda stop: WIDTH + GAP if isinstance(stop, str) else LANE
    x = {}
    for stops in rows.values():
        at = 0
        for stop in stops:
            x[stop] = at + width(stop) // 2
            at += width(stop)

    def settle(stops):
        """In the order of their wishes, no two on one another, and as a whole where they wish to be."""
        wish = {stop: x[stop] for stop in stops}
        stops.sort(key=lambda stop: (wish[stop], str(stop)))
        at = None
        for stop in stops:
            at = wish[stop] if at is None else max(wish[stop], at + width(stop) // 2)
            x[stop] = at
            at += width(stop) // 2
        off = sum(x[stop] - wish[stop] for stop in stops) // len(stops)
        for stop in stops:
            x[stop] -= off

    for turn in range(60):
        order = sorted(rows) if turn % 2 == 0 else sorted(rows, reverse=True)
        for number in order:
            for stop in rows[number]:
                near = (before if turn % 2 == 0 else after)[stop] or (after if turn % 2 == 0 else before)[stop]
                if near:
                    x[stop] = sum(x[other] for other in near) // len(near)
            settle(rows[number])
    first = min(x[stop] for stop in x)
    return {stop: at - first for stop, at in x.items()}


def look_of(room):
    return next((fill, line) for start, fill, line in LOOKS if room == start or room.startswith(start + "/"))


def picture(uses):
    row = rows_of(uses)
    direct = without_detours(uses)
    edges = sorted((low, high) for high, used in direct.items() for low in used)
    chains = chains_of(edges, row)
    x = placed(chains, row)
    middle = lambda stop: MARGIN + WIDTH // 2 + x[stop]
    top = lambda number: MARGIN + number * ROW
    width = max(middle(stop) for stop in x) + WIDTH // 2 + MARGIN
    height = top(max(row.values())) + HEIGHT + MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           'font-family="Roboto, Helvetica, Arial, sans-serif" font-size="13">',
           '<title>The rooms of the sources; an arrow leads from a room to one that uses it</title>',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for chain in chains:
        line = look_of(chain[0])[1]
        at, y = middle(chain[0]), top(row[chain[0]]) + HEIGHT
        way = f"M{at} {y}"
        for stop in chain[1:]:
            last = isinstance(stop, str)
            to, half = top(row[stop] if last else stop[2]) - (6 if last else 0), (ROW - HEIGHT) // 2
            way += f"C{at} {y + half} {middle(stop)} {to - half} {middle(stop)} {to}"
            at, y = middle(stop), to
            if not last:
                y += HEIGHT
                way += f"V{y}"
        out.append(f'<path d="{way}" fill="none" stroke="{line}" stroke-opacity="0.6" stroke-width="1.4"/>')
        out.append(f'<path d="M{at} {y + 6}l-3.5 -7h7z" fill="{line}"/>')
    for room in sorted(row):
        fill, line = look_of(room)
        left = middle(room) - WIDTH // 2
        out.append(f'<rect x="{left}" y="{top(row[room])}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" '
                   f'stroke="{line}"/>')
        out.append(f'<text x="{middle(room)}" y="{top(row[room]) + 20}" text-anchor="middle" fill="#1b1f26">'
                   f'{room.removeprefix("engine/")}</text>')
    for number, (start, words) in enumerate(WORDS.items()):
        fill, line = look_of(start)
        y = MARGIN + 22 * number
        out.append(f'<rect x="{MARGIN}" y="{y}" width="22" height="14" rx="3" fill="{fill}" stroke="{line}"/>')
        out.append(f'<text x="{MARGIN + 30}" y="{y + 12}" fill="#444b55">{words}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def self_test():
    uses = {"app": {"kernels", "engine/base"}, "kernels": {"engine/base"}, "engine/base": set()}
    assert without_detours(uses) == {"app": {"kernels"}, "kernels": {"engine/base"}, "engine/base": set()}
    assert rows_of(uses) == {"app": 2, "kernels": 1, "engine/base": 0}
    assert picture(uses).count("<rect") == 7
    assert picture(uses) != picture({**uses, "app": {"engine/base"}})


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    file = root / "docs/rooms.svg"
    drawn = picture(uses_of(source_tree.SourceTree(root)))
    if sys.argv[2:] != ["--check"]:
        file.write_text(drawn)
    elif not file.is_file() or file.read_text() != drawn:
        print("docs/rooms.svg: not the rooms of the sources; draw it anew with tests/structure/draw_rooms.py .")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
