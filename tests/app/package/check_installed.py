#!/usr/bin/env python3
"""Installs a build, moves what was installed, and runs the program from there with nothing in its environment.

    check_installed.py CMAKE BUILD [--no-window]

What must hold: the moved program draws its default experiment; it reads its own copy of the assets and no other, not even
that of the source tree that it was built from; each file that a desktop, a shell or a reader of manuals looks for is there
and of the form that they read; nothing is there that only a developer needs.
"""
import gzip
import gzip
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ALWAYS = ["bin/streamscope", "share/doc/streamscope/README.md", "share/doc/streamscope/copyright",
          "share/doc/streamscope/changelog.gz", "share/doc/streamscope/docs/language.md",
          "share/man/man1/streamscope.1.gz", "share/man/man7/streamscope-language.7.gz",
          "share/bash-completion/completions/streamscope", "share/zsh/vendor-completions/_streamscope",
          "share/streamscope/assets/devices/h200.toml", "share/streamscope/assets/experiments/four-streams.toml",
          "share/streamscope/assets/programs/pipeline.streams"]
WITH_WINDOW = ["share/applications/streamscope.desktop", "share/mime/packages/streamscope.xml",
               "share/icons/hicolor/scalable/apps/streamscope.svg"]
NO_PLACE_HERE = {".py", ".cpp", ".h", ".po", ".pot"}


class Installed:
    def __init__(self, root, home):
        self.root, self.home, self.found = root, home, []

    def expect(self, holds, what):
        if not holds:
            self.found.append(what)

    def run(self, *arguments):
        return subprocess.run([self.root / "bin/streamscope", *arguments], cwd=self.home, env={}, text=True,
                              capture_output=True, timeout=60)

    def streams_of_the_default(self):
        ran = self.run("run", "four-streams", "--device", "model", "--json", "-")
        self.expect(ran.returncode == 0, f"the default experiment: exit code {ran.returncode}: {ran.stderr}")
        return json.loads(ran.stdout)["experiment"]["streams"] if ran.returncode == 0 else None

    def check_files(self, with_window):
        for file in ALWAYS + (WITH_WINDOW if with_window else []):
            path = self.root / file
            self.expect(path.is_file() and path.stat().st_size > 0, f"{file} is missing")
        for path in self.root.rglob("*"):
            self.expect(path.suffix not in NO_PLACE_HERE, f"{path.relative_to(self.root)} has no place here")
            self.expect(not path.is_symlink(), f"{path.relative_to(self.root)} is a link")

    def check_picture(self):
        picture = self.home / "out.png"
        ran = self.run("run", "four-streams", "--device", "model", "--png", str(picture))
        self.expect(ran.returncode == 0, f"--png: exit code {ran.returncode}: {ran.stderr}")
        head = picture.read_bytes()[:24] if picture.is_file() else b""
        self.expect(head[:8] == b"\x89PNG\r\n\x1a\n" and min(struct.unpack(">II", head[16:])) > 500, "--png: no picture")

    def check_assets_are_its_own(self):
        self.expect(self.streams_of_the_default() == 4, "the default experiment has not four streams")
        assets = self.root / "share/streamscope/assets"
        experiment = assets / "experiments/four-streams.toml"
        text, changes = re.subn(r"(?m)^streams *= *4$", "streams = 3", experiment.read_text())
        self.expect(changes == 1, "the default experiment does not say 'streams = 4'")
        experiment.write_text(text)
        self.expect(self.streams_of_the_default() == 3, "an experiment changed where the program stands is not seen")
        assets.rename(assets.parent / "elsewhere")
        ran = self.run("run", "four-streams", "--device", "model")
        self.expect(ran.returncode == 2, f"without its assets the program found some: exit code {ran.returncode}")
        (assets.parent / "elsewhere").rename(assets)

    def check_languages(self):
        for language, said in ("en", "an oscilloscope"), ("zh", "示波器"):
            self.expect(said in self.run("--language", language, "--help").stdout, f"--language {language} does not say {said!r}")

    def check_manual(self):
        for page, section, word in (("man1/streamscope.1", "1", "--png"), ("man7/streamscope-language.7", "7", "h2d")):
            text = gzip.decompress((self.root / "share/man" / (page + ".gz")).read_bytes()).decode()
            self.expect(re.search(rf'(?m)^\.TH "?[A-Z\\-]+"? "?{section}"?( |$)', text), f"{page}: no head of section {section}")
            self.expect(word in text.replace("\\", ""), f"{page} does not know {word}")

    def check_completion(self):
        script = self.root / "share/bash-completion/completions/streamscope"
        # bash breaks words at colons, so what stands behind the last one is completed.
        for typed, wanted in ((["run", "--devi"], "--device"), (["run", "--device", "model:h2"], "h200"),
                              (["run", "four-st"], "four-streams"), (["swe"], "sweep")):
            words = " ".join(f"'{each}'" for each in ["streamscope", *typed])
            line = " ".join(["streamscope", *typed])
            # compopt is refused outside of a completion that a person asked for.
            ask = (f"compopt() {{ :; }}; source '{script}'; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; "
                   f"COMP_LINE='{line}'; COMP_POINT={len(line)}; _streamscope; "
                   "printf '%s\\n' \"${COMPREPLY[@]}\"")
            said = subprocess.run(["bash", "--norc", "-c", ask], cwd=self.home, text=True, capture_output=True, timeout=30)
            self.expect(wanted in said.stdout.split(), f"bash completes {typed} to {said.stdout.split()}: {said.stderr}")
        if zsh := shutil.which("zsh"):
            said = subprocess.run([zsh, "-n", self.root / "share/zsh/vendor-completions/_streamscope"], text=True,
                                  capture_output=True)
            self.expect(said.returncode == 0, f"zsh cannot read its completion: {said.stderr}")
        else:
            first = (self.root / "share/zsh/vendor-completions/_streamscope").read_text().splitlines()[0]
            self.expect(first.split() == ["#compdef", "streamscope"], f"zsh's completion begins with {first!r}")

    def check_desktop(self):
        self.expect(xml.parse(self.root / WITH_WINDOW[1]).getroot().tag.endswith("}mime-info"), "no types of files")
        self.expect(xml.parse(self.root / WITH_WINDOW[2]).getroot().tag.endswith("}svg"), "no icon")
        entry = (self.root / WITH_WINDOW[0]).read_text()
        types = {kind.get("type") for kind in xml.parse(self.root / WITH_WINDOW[1]).getroot()}
        opened = set(re.search(r"(?m)^MimeType=(.*)$", entry)[1].strip(";").split(";"))
        self.expect(opened == types, f"the desktop entry opens {opened}, described are {types}")
        if validate := shutil.which("desktop-file-validate"):
            said = subprocess.run([validate, self.root / WITH_WINDOW[0]], text=True, capture_output=True)
            self.expect(said.returncode == 0 and not said.stdout, f"desktop-file-validate: {said.stdout}{said.stderr}")

    def check_library_paths(self):
        if shutil.which("readelf"):
            said = subprocess.run(["readelf", "-d", self.root / "bin/streamscope"], text=True, capture_output=True).stdout
            self.expect("(NEEDED)" in said and "RPATH" not in said and "RUNPATH" not in said, "it names library paths")


def main():
    cmake, build, *options = sys.argv[1:]
    with_window = "--no-window" not in options
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        home = folder / "home"
        home.mkdir()
        subprocess.run([cmake, "--install", build, "--prefix", folder / "first", "--strip"], check=True,
                       stdout=subprocess.DEVNULL)
        root = folder / "moved here" / "later"
        root.parent.mkdir()
        (folder / "first").rename(root)
        installed = Installed(root, home)
        installed.check_files(with_window)
        if not installed.found:
            installed.check_picture()
            installed.check_assets_are_its_own()
            installed.check_library_paths()
            installed.check_languages()
            installed.check_manual()
            installed.check_completion()
            if with_window:
                installed.check_desktop()
    for each in installed.found:
        print(each)
    return bool(installed.found)


if __name__ == "__main__":
    sys.exit(main())
