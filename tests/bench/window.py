"""Times the window under Xvfb with Mesa's software renderer: first frame, idle cost, from a change to the new picture;
and what it takes to open large traces of other tools.

    window.py PROGRAM [RUNS]        all of it; large traces where bench_open lies beside the program
    window.py PROGRAM open SPANS json|sqlite
    window.py PROGRAM live [FILE]            pictures a second in live mode, and how long after its run's start each is drawn

PROGRAM is streamscope_observed, which says on stderr when it drew what, and where its widgets are.
"""
import os
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time


class Window:
    """One Xvfb with one window in it, and the lines that the window says."""

    def __init__(self, program, *arguments):
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
                                       pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as number:
            display = ":" + number.readline().strip()
        self.environment = {**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1",
                            "XDG_CONFIG_HOME": self.settings()}
        self.begin = time.monotonic()
        self.process = subprocess.Popen([program, *arguments], env=self.environment, stderr=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        self.widgets = {}
        threading.Thread(target=self._read, daemon=True).start()

    def settings(self):
        """A folder in which somebody has opened the window before."""
        self.home = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self.home.name, "streamscope"))
        open(os.path.join(self.home.name, "streamscope", "window"), "w").close()
        return self.home.name

    def _read(self):
        for line in self.process.stderr:
            widget = re.match(r"widget (-?\d+) (-?\d+) (\d+) (\d+) (.+)", line)
            if widget:
                self.widgets[widget[5]] = tuple(int(widget[i]) for i in range(1, 5))
            self.lines.put((time.monotonic(), line.strip()))

    def wait_for(self, pattern, limit=30.0):
        """The first line that matches, and when it came."""
        end = time.monotonic() + limit
        while True:
            at, line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            found = re.search(pattern, line)
            if found:
                return at, found

    def settle(self, seconds):
        """Lets what goes on come to its end, and forgets what was said of it."""
        time.sleep(seconds)
        while not self.lines.empty():
            self.lines.get()

    def tool(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.server.terminate()
        self.server.wait(10)


def processor_seconds(process):
    """User and system time of a process, from /proc."""
    with open(f"/proc/{process}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def figure(name, values, unit):
    print(f"{name:<34} median {statistics.median(values):8.1f} {unit}   min {min(values):8.1f}   max {max(values):8.1f}   n {len(values)}")


def memory(process, what):
    """VmRSS or VmHWM of a process, in MB."""
    with open(f"/proc/{process}/status") as status:
        return int(re.search(rf"{what}:\s+(\d+) kB", status.read())[1]) / 1024


def opening(program, spans, form):
    """From the start of the process to the trace on screen, and the memory that the window's process takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"large.{form}")
        subprocess.run([os.path.join(os.path.dirname(program), "bench_open"), str(spans), form, path], check=True)
        size = os.path.getsize(path) / 1e6
        window = Window(program, path)
        try:
            first, _ = window.wait_for(r"^first frame")
            at, _ = window.wait_for(r"^run \d+ done", 120)
            time.sleep(2)  # what was only needed to read it is given back
            x, y, width, height = window.widgets["Timeline/plot"]
            for step in range(20):  # looked at: zoomed into
                window.tool("mousemove", x + width // 2, y + height // 2, "click", 4)
                window.wait_for(r"^view ")
            time.sleep(1)
            pid = window.process.pid
            print(f"{spans} spans, {form}, {size:.0f} MB: on screen after {at - window.begin:.2f} s, {at - first:.2f} s after the first "
                  f"frame; memory {memory(pid, 'VmRSS'):.0f} MB, of it the file's pages {memory(pid, 'RssFile'):.0f} MB; "
                  f"at most {memory(pid, 'VmHWM'):.0f} MB")
        finally:
            window.close()


def live(program, files, seconds=10):
    """Pictures a second, and the age of each: from the start of its run to the frame that shows it."""
    window = Window(program, *files)
    try:
        window.wait_for(r"^run \d+ done")
        time.sleep(1)
        x, y, width, height = window.widgets["Timeline/plot"]
        window.tool("mousemove", x + width // 2, y + height // 2, "click", 1)
        window.tool("key", "l")
        begin, _ = window.wait_for(r"^live on")
        ages = []
        while True:
            at, found = window.wait_for(r"^run to picture ([\d.]+) ms")
            if at - begin > seconds:
                break
            ages.append(float(found[1]))
        figure("live: run to picture", ages, "ms")
        print(f"live: {len(ages) / seconds:.1f} pictures a second, 99 % within {sorted(ages)[int(0.99 * (len(ages) - 1))]:.1f} ms")
    finally:
        window.close()


def main():
    program = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2 and sys.argv[2] == "open":
        opening(program, int(sys.argv[3]), sys.argv[4])
        return
    if len(sys.argv) > 2 and sys.argv[2] == "live":
        live(program, sys.argv[3:])
        return
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    first_frames, changes, idle = [], [], []
    for attempt in range(runs):
        window = Window(program)
        try:
            at, _ = window.wait_for(r"^first frame")
            first_frames.append((at - window.begin) * 1e3)
            window.wait_for(r"^run \d+ done")
            if attempt + 1 < runs:
                continue
            time.sleep(2)  # let the last frames be drawn before the idle cost is read
            for _ in range(3):
                before, begin = processor_seconds(window.process.pid), time.monotonic()
                time.sleep(10)
                idle.append((processor_seconds(window.process.pid) - before) / (time.monotonic() - begin) * 100)
            x, y, width, height = window.widgets["Experiment/controls/streams"]
            middle = y + height // 2
            for step in range(20):  # a drag; a click moves nothing
                to = x + width * (2, 7, 3, 8, 4, 6, 9)[step % 7] // 10
                window.tool("mousemove", x + width // 2, middle, "mousedown", 1)
                window.settle(0.5)  # pressed and moved in one breath, it changes twice
                window.tool("mousemove", to, middle)
                _, found = window.wait_for(r"^change to picture ([\d.]+) ms")
                changes.append(float(found[1]))
                window.settle(0.5)
                window.tool("mouseup", 1)
                window.settle(0.5)  # else the next is a double click, which opens a field
        finally:
            window.close()
    figure("process start to first frame", first_frames, "ms")
    figure("idle, share of one core", idle, "% ")
    figure("slider to new picture, model", changes, "ms")
    if os.path.exists(os.path.join(os.path.dirname(program), "bench_open")):
        opening(program, 1_000_000, "json")
        opening(program, 1_000_000, "sqlite")
        opening(program, 10_000_000, "sqlite")


main()
