"""Builds and runs the tests that a pattern matches, for `./dev test PATTERN`.

    matching.py BUILD PATTERN…    the folder where ninja builds; regular expressions

A pattern that is found in names of programs and scripts runs these. Another one is looked for in the names of test
functions, and runs these alone.
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

FUNCTION = {".c": re.compile(r"^START_TEST\((\w+)\)", re.M), ".py": re.compile(r"^ +def (test_\w+)\(", re.M)}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def known(build):
    """What ctest knows of each test, by name. It knows the command of a program only when it is built."""
    return {test["name"]: test for test in json.loads(output("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]}


def compiled(build):
    """The C sources of each target, by the names of its objects, which are in the folder that is `build`'s counterpart."""
    found = {}
    for folder, target, source in re.findall(r"(?m)^(\S*?)CMakeFiles/([^/\s]+)\.dir/(\S+\.c)\.o: ",
                                             output("ninja", "-C", build, "-t", "targets", "all")):
        found.setdefault(target, []).append(os.path.join(folder, source.replace("__/", "../")))
    return found


def scripts(path):
    """A script; of a run.py, all the tests beside it, which it runs."""
    return sorted(path.parent.glob("test_*.py")) if path.name == "run.py" else [path]


def functions(build, source, tests):
    """The test functions of each test, by its name."""
    objects = compiled(build)
    found = {}
    for name, test in tests.items():
        script = next((word for word in test.get("command", []) if word.endswith(".py")), None)
        paths = scripts(Path(script)) if script else [source / each for each in objects.get(name, [])]
        found[name] = [each for path in paths if path.suffix in FUNCTION and path.exists()
                       for each in FUNCTION[path.suffix].findall(path.read_text(encoding="utf-8"))]
    return found


def chosen(patterns, build, source, tests):
    """{test: its functions to run, or None for all of them}."""
    found, inside = {}, None
    for pattern in patterns:
        names = [name for name in tests if re.search(pattern, name)]
        found.update(dict.fromkeys(names))
        if names:
            continue
        inside = inside or functions(build, source, tests)
        matching = {name: [each for each in own if re.search(pattern, each)] for name, own in inside.items()}
        if not any(matching.values()):
            sys.exit("dev: no test is named like '%s': no program, no script, and no function in them" % pattern)
        for name, own in matching.items():
            if own and found.get(name, own) is not None:
                found[name] = found.get(name, []) + own
    return found


def runs(test, own):
    """The commands that run these functions of a test, and what each has in its environment."""
    if own is None:
        return [(test["command"], {})]
    if test["command"][-1].endswith(".py"):
        return [(test["command"] + [word for each in own for word in ("-k", each)], {})]
    return [(test["command"], {"CK_RUN_CASE": each}) for each in own]  # suite.h: each test is a case of its own


def run(test, own):
    """Whether it passed, and what to print."""
    properties = {each["name"]: each["value"] for each in test.get("properties", [])}
    given = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
    started, checks, failures = time.monotonic(), 0, []
    for command, more in runs(test, own):
        done = subprocess.run(command, cwd=properties.get("WORKING_DIRECTORY"), env={**os.environ, **given, **more},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        said = done.stdout.decode("utf-8", "replace")
        counted = re.findall(r"(?m)^\d+%: Checks: (\d+)|^Ran (\d+) test", said)
        checks += sum(int(one or other) for one, other in counted) if counted else 1
        if done.returncode:
            failures.append(said)
    return not failures, "%s%s: %d %s, %.1f s" % ("".join(failures), test["name"], checks, "ran, failed" if failures
                                                   else "passed", time.monotonic() - started)


def main(build, *patterns):
    build = os.path.abspath(build)
    quietly("cmake", "--build", build, "--target", "build.ninja")  # Tests that were added since are known then.
    cache = Path(build, "CMakeCache.txt").read_text(encoding="utf-8")
    source = Path(re.search(r"(?m)^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache).group(1))
    found = chosen(patterns, build, source, known(build))
    quietly("cmake", "--build", build, "--target", *found)
    tests = known(build)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = []
        for passed, line in pool.map(lambda name: run(tests[name], found[name]), found):
            print(line, flush=True)
            results.append(passed)
    sys.exit(not all(results))


def quietly(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(done.stdout + "dev: this failed: " + " ".join(command))


if __name__ == "__main__":
    main(*sys.argv[1:])
