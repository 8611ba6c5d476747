"""The suites of a build folder: which there are, and how one runs."""

import hashlib
import json
import os
import signal
import subprocess
import tempfile
import time


class Suite:
    """What ctest knows of a test that is a program."""

    def __init__(self, name, command, environment):
        self.name = name
        self.command = command
        self.environment = environment
        self.program = os.path.realpath(command[0])

    def digest(self):
        """Differs when what the suite does may differ."""
        with open(self.program, "rb") as stream:
            return hashlib.sha256(repr(self.command).encode() + stream.read()).hexdigest()


def of_build(build):
    """All tests that are built in a folder, but for the benchmark, which looks at speed alone."""
    # From another folder, because ctest empties the log of the folder in which it is called, and may be running there.
    with tempfile.TemporaryDirectory(prefix="kifu-suites-") as folder:
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as stream:
            stream.write("subdirs([==[%s]==])\n" % os.path.abspath(build))
        shown = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE)
    suites = []
    for test in json.loads(shown.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        if "command" in test and not test["name"].startswith("bench"):
            suites.append(Suite(test["name"], test["command"], environment))
    return suites


def _kill_session(session):
    """libcheck puts each test into a process group of its own, so its group is not enough."""
    for each in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % each, encoding="latin-1") as stream:
                fields = stream.read().rpartition(")")[2].split()
            if int(fields[3]) == session:
                os.kill(int(each), signal.SIGKILL)
        except (OSError, IndexError):
            pass  # It has ended.


def run(suite, folder, seconds, environment=None, megabytes=0):
    """Runs a suite in an empty folder. Returns (None where it passed, else why not, seconds, output)."""
    limits = "ulimit -c 0; %s exec \"$@\"" % ("ulimit -v %d;" % (megabytes * 1024) if megabytes else "")
    started = time.monotonic()
    running = subprocess.Popen(
        ["sh", "-c", limits, "sh"] + suite.command, cwd=folder, start_new_session=True,
        env={**os.environ, "TMPDIR": folder, "PWD": folder, "CK_DEFAULT_TIMEOUT": str(int(seconds) + 1), **suite.environment,
             **(environment or {})},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = running.communicate(timeout=seconds)
        fault = None
        if running.returncode:
            fault = "failed with %d" % running.returncode
    except subprocess.TimeoutExpired:
        _kill_session(running.pid)
        output, _ = running.communicate()
        fault = "took longer than %d s" % seconds
    return fault, time.monotonic() - started, output.decode("utf-8", "replace")
