"""The sources as the structure tests see them: files, their includes, the room and the component each belongs to.

A room is a folder named in rooms.py, with the folders below it that are no rooms themselves. A component is a header
with the sources that carry out what it declares: the source of the same name, and every source without a header of its
own name that defines a function the header declares.
"""
import collections
import pathlib
import re

import rooms

SOURCE_ENDINGS = {".h", ".cuh", ".cpp", ".cu"}
HEADER_ENDINGS = {".h", ".cuh"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# What the project's formatter puts at the beginning of a line and what ends in a parameter list: a function.
FUNCTION = re.compile(
    r"^(?!namespace|struct|class|enum|union|using|typedef|template|static|return|extern|friend|#)"
    r"[A-Za-z_\[].*?((?:\w+::)*~?\w+)\(", re.MULTILINE)


def without_comments(text):
    """The text with comments and the contents of literals blanked; line numbers stay."""
    pattern = re.compile(
        r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![\w])'(?:\\.|[^'\\\n])+'""",
        re.DOTALL)
    return pattern.sub(lambda match: "\n" * match.group(0).count("\n") if match.group(0)[0] == "/" else '""', text)


class SourceTree:
    def __init__(self, root, tops=("app", "engine", "kernels")):
        self.root = pathlib.Path(root)
        self.text = {}
        for top in tops:
            for path in sorted((self.root / top).rglob("*")):
                if path.suffix in SOURCE_ENDINGS and path.is_file():
                    self.text[path.relative_to(self.root).as_posix()] = path.read_text()
        self._plain = {}

    def plain(self, file):
        if file not in self._plain:
            self._plain[file] = without_comments(self.text[file])
        return self._plain[file]

    def includes(self, file):
        """(line, bracket, target) of each include."""
        text = self.text[file]
        return [(text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2))
                for match in INCLUDE.finditer(text)]

    def own_includes(self, file):
        return [target for _, bracket, target in self.includes(file) if bracket == '"' and target in self.text]

    def room(self, file):
        """The deepest room that holds the file, or None."""
        for parent in pathlib.PurePosixPath(file).parents:
            if parent.as_posix() in rooms.ROOMS:
                return parent.as_posix()
        return None

    def components(self):
        """The component of each file: the path of its header without the ending."""
        stem = lambda file: file[:file.rindex(".")]
        headers = {stem(file) for file in self.text if pathlib.PurePosixPath(file).suffix in HEADER_ENDINGS}
        return {file: stem(file) if stem(file) in headers else self._carried_out(file) or stem(file)
                for file in self.text}

    def _carried_out(self, file):
        """The header of the file's room that declares the most of what the file defines."""
        names = set(self._defined(file))
        best, most = None, 0
        for header in self._headers_in_reach(file):
            declared = sum(self._declares(header, name) for name in names)
            if declared > most:
                best, most = header[:header.rindex(".")], declared
        return best

    def _headers_in_reach(self, file):
        room, seen, queue = self.room(file), [], collections.deque([file])
        while queue:
            for target in self.own_includes(queue.popleft()):
                if target not in seen and self.room(target) == room:
                    seen.append(target)
                    queue.append(target)
        return seen

    def _defined(self, file):
        # Not what is in anonymous namespaces: from "namespace {" to the brace whose comment says so.
        text = re.sub(r"^namespace \{$.*?^\}  // namespace$", "", self.text[file], flags=re.DOTALL | re.MULTILINE)
        return [match.group(1) for match in FUNCTION.finditer(without_comments(text))]

    def _declares(self, header, name):
        text = self.plain(header)
        scope, _, last = name.rpartition("::")
        if not scope:
            return re.search(rf"^(?:template.*>\s*)?[A-Za-z_\[].*\b{re.escape(last)}\(", text, re.MULTILINE) is not None
        owner = scope.split("::")[0]
        return (re.search(rf"\b(?:class|struct)\s+{owner}\b[^;]*\{{", text) is not None or
                (re.search(rf"\bnamespace\s+(?:\w+::)*{owner}\b", text) is not None and
                 re.search(rf"\b{re.escape(last)}\(", text) is not None))

    def arrows(self):
        """component -> component -> the includes that make it, as "file -> file"."""
        component = self.components()
        found = collections.defaultdict(lambda: collections.defaultdict(list))
        for file in self.text:
            for target in self.own_includes(file):
                if component[file] != component[target]:
                    found[component[file]][component[target]].append(f"{file} -> {target}")
        return found

    def cycles(self):
        """Sets of components that include each other in a circle, the largest first."""
        arrows = self.arrows()
        index, low, stack, on_stack, found = {}, {}, [], set(), []

        def visit(start):  # Tarjan's algorithm, without recursion
            work = [(start, iter(arrows.get(start, ())))]
            index[start] = low[start] = len(index)
            stack.append(start)
            on_stack.add(start)
            while work:
                node, successors = work[-1]
                advanced = False
                for other in successors:
                    if other not in index:
                        index[other] = low[other] = len(index)
                        stack.append(other)
                        on_stack.add(other)
                        work.append((other, iter(arrows.get(other, ()))))
                        advanced = True
                        break
                    if other in on_stack:
                        low[node] = min(low[node], index[other])
                if advanced:
                    continue
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        circle.append(member)
                        if member == node:
                            break
                    if len(circle) > 1:
                        found.append(sorted(circle))

        for node in sorted(set(self.components().values())):
            if node not in index:
                visit(node)
        return sorted(found, key=lambda circle: (-len(circle), circle))


def plant(folder, files):
    """A scratch tree for a self-test: {path: text}."""
    root = pathlib.Path(folder)
    for top in ("app", "engine", "kernels", "tests"):
        (root / top).mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n")
    return root
