"""Builds the toy project for the tests of the tools that look at suites."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOY = os.path.join(HERE, "toy")
ROOT = os.path.join(TOY, "src")


def run(*command):
    """The exit status and what was said."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    return done.returncode, done.stdout


def build(folder, *options):
    for command in (["cmake", "-S", TOY, "-B", folder, "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc", *options],
                    ["cmake", "--build", folder]):
        status, said = run(*command)
        if status:
            raise RuntimeError(said)


def build_counting(folder):
    build(folder, "-DCMAKE_BUILD_TYPE=Release",
          "-DCMAKE_PROJECT_kifu_INCLUDE=" + os.path.join(HERE, "instrument.cmake"))
