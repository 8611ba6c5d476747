"""A home folder in which Kifu is installed the way README.md says."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import blocks


class Home:
    """`path` holds `kifu`, the sources, and `.local`, where the commands of README.md's "Install" put the library."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="kifu-readme-"))
        (self.path / "kifu").symlink_to(blocks.SOURCE)
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("CC", "CXX", "LANG", "LC_ALL", "TMPDIR", "KIFU_PYTHON")
        }
        self.environment["HOME"] = str(self.path)
        quick = self.path / "quick-cc"  # Nobody waits for the optimiser here: that is a minute of the processor.
        quick.write_text(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" -O0\n', encoding="utf-8")
        quick.chmod(0o755)
        self.environment["CC"] = str(quick)
        # And it reads the headers once for all sources of Kifu's library.
        (self.path / "together.cmake").write_text("set(CMAKE_UNITY_BUILD ON)\nset(CMAKE_UNITY_BUILD_BATCH_SIZE 0)\n", encoding="utf-8")
        (self.path / "quick.cmake").write_text(f"set(CMAKE_PROJECT_kifu_INCLUDE {self.path}/together.cmake)\n", encoding="utf-8")
        self.environment["CMAKE_TOOLCHAIN_FILE"] = str(self.path / "quick.cmake")
        self.environment["PATH"] = f"{self.path}/.local/bin:{os.environ['PATH']}"

    def install(self):
        for block in blocks.section(blocks.FRONT, "Install"):
            if block.language == "console":
                self.run_block(block, self.path)

    def run(self, command, folder):
        """Runs a shell command; its status, and what it printed on both outputs."""
        done = subprocess.run(
            ["sh", "-e", "-c", command],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8")

    def run_block(self, block, folder):
        """Runs a ```console block in `folder`, and compares what it prints with what the page shows."""
        for command, shown in blocks.commands(block.text):
            status, printed = self.run(command, folder)
            where = f"{block.page}:{block.line}: $ {command}\n"
            if status != 0:
                raise AssertionError(f"{where}exit status {status}\n{printed}")
            if shown and not blocks.matches(shown, printed):
                raise AssertionError(f"{where}--- the page shows\n{shown}--- it prints\n{printed}")

    def remove(self):
        shutil.rmtree(self.path)
