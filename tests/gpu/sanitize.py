#!/usr/bin/env python3
"""NVIDIA's checkers over the tests that need a GPU: clean, but for the mistakes that are made on purpose.

    sanitize.py BUILD [--filter PATTERN] [--only TOOL] [--timeout SECONDS]    TOOL: memcheck, racecheck, initcheck, races
    sanitize.py --self-test

memcheck, racecheck and initcheck over test_gpu must report nothing. `races` is racecheck over each test of the suite
ProvokedRaces: a kernel without its wait or its barrier must be reported, and the same kernel with both must not.
Exit code 0: all is as it must be; 1: not; 3: no compute-sanitizer or no GPU. --filter narrows the tests of the first
three ('TwoGpus*': what needs two), --timeout is for each run (7200).
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

# Calls of CUDA's that have to fail; times and kernels side by side, which a checker stretches and keeps apart; CUPTI;
# the ideas, which are of all three; and a thousand runs, which take hours so.
LEFT_OUT = ("Provoked*:*Faults*:Captures.AreBroken*:Rule/*:GraphAccuracy*:Cupti*:Words.Where*:Words.WorkGoesOn*:"
            "TwoGpus.WorkOnBoth*:*IdeaOnGpu*:*AThousandRuns*")
# initcheck lets no kernel be queued behind one that waits for the host, as those behind the gate are.
LEFT_OUT_BY = {"initcheck": ":*Gate*"}
RACES = "ProvokedRaces.*"
FOUND = 99  # what the checker ends with that has found something
SUMMARY = re.compile(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)")


def findings(output):
    """How many are reported; None where there is no summary, so that nothing was checked."""
    all_of_them = [int(a or b) for a, b in SUMMARY.findall(output)]
    return sum(all_of_them) if all_of_them else None


def verdict(code, output, must_report):
    """What a run says, and whether that is what it must say."""
    count = findings(output)
    if "[  PASSED  ] 0 tests" in output and "[  SKIPPED ]" in output and not count:
        return "all tests were skipped", None
    if count is None:
        return f"nothing was checked (exit code {code})", False
    if "[  FAILED  ]" in output:
        return f"{count} findings, and a test failed", False
    if code not in (0, FOUND):
        return f"{count} findings, and the tests ended with {code}", False
    return f"{count} findings", (count > 0) == must_report


def tests_of(program, pattern):
    out = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], capture_output=True, text=True)
    suite, names = "", []
    for line in out.stdout.splitlines():
        if re.match(r"\S+\.(\s|$)", line):
            suite = line.split()[0]
        elif line.startswith("  ") and suite:
            names.append(suite + line.split()[0])
    return names


def check(checker, tool, program, pattern, must_report, timeout):
    command = [checker, "--tool", tool, "--error-exitcode", str(FOUND), "--target-processes", "application-only",
               program, "--gtest_brief=0", f"--gtest_filter={pattern}"]
    # The checker starts the tests, and both are ended together: what goes on alone would hold the GPU.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as both:
        try:
            output = both.communicate(timeout=timeout)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(both.pid, signal.SIGKILL)
            output = both.communicate()[0].decode(errors="replace")
            last = re.findall(r"\[ RUN      \] (\S+)", output)
            return f"not over after {timeout:g} s, in {last[-1] if last else 'no test'}", False, output
    return *verdict(both.returncode, output, must_report), output


def self_test():
    clean = "[  PASSED  ] 3 tests.\n========= ERROR SUMMARY: 0 errors\n"
    races = "[  PASSED  ] 1 test.\n========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)\n"
    assert verdict(0, clean, False) == ("0 findings", True)
    assert verdict(0, clean, True)[1] is False, "a mistake that is not reported"
    assert verdict(FOUND, races, True) == ("2 findings", True)
    assert verdict(FOUND, races, False)[1] is False
    assert verdict(1, "Error: no such tool\n", False)[1] is False, "nothing was checked"
    assert verdict(1, "[  FAILED  ] 1 test\n" + clean, False)[1] is False
    assert verdict(139, clean, False)[1] is False, "it crashed"
    assert verdict(0, "[  PASSED  ] 0 tests.\n[  SKIPPED ] 3 tests\n" + clean, False)[1] is None
    print("the self-test found all")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--only", action="append", choices=["memcheck", "racecheck", "initcheck", "races"])
    parser.add_argument("--timeout", type=float, default=7200)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.build is None:
        parser.error("name the build folder")
    checker = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    if checker is None:
        print("sanitize.py: there is no compute-sanitizer; install cuda-sanitizer-13-0, or put it on the PATH",
              file=sys.stderr)
        return 3
    program = pathlib.Path(options.build).resolve() / "test_gpu"
    if not program.exists():
        print(f"sanitize.py: there is no {program}; build the target test_gpu", file=sys.stderr)
        return 3
    asked = options.only or ["memcheck", "racecheck", "initcheck", "races"]
    runs = [(tool, f"{options.filter}-{LEFT_OUT}{LEFT_OUT_BY.get(tool, '')}", False) for tool in asked if tool != "races"]
    if "races" in asked:
        names = tests_of(program, RACES)
        if not names:
            print(f"sanitize.py: {program} has no tests {RACES}", file=sys.stderr)
            return 1
        runs += [("racecheck", name, not name.endswith("_without_nothing")) for name in names]
    bad = skipped = 0
    print(f"{'tool':<10} {'must report':<12} {'':<6} {'it said':<24} tests")
    for tool, pattern, must_report in runs:
        said, good, output = check(checker, tool, program, pattern, must_report, options.timeout)
        bad += good is False
        skipped += good is None
        mark = "ok" if good else "–" if good is None else "WRONG"
        print(f"{tool:<10} {'hazards' if must_report else 'nothing':<12} {mark:<6} {said:<24} {pattern}", flush=True)
        if good is False:
            shown = [line for line in output.splitlines() if line.startswith("=========") or "FAILED" in line]
            print("\n".join("    " + line for line in shown[:20]), flush=True)
    if skipped == len(runs):
        print("sanitize.py: there is no GPU: every test was skipped", file=sys.stderr)
        return 3
    print(f"{len(runs)} runs, {bad} not as they must be, {skipped} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
