"""What hosts and distributions look for: it is there, and it agrees with the rest."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["KIFU_SOURCE_DIR"])
DEBIAN = SOURCE / "runtime" / "package" / "debian"


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


class Habits(unittest.TestCase):
    def test_Y09_one_version_everywhere(self):
        """version.h has it; CMake reads it there (test_package.py)."""
        version = re.findall(r"(?m)^#define KIFU_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text("runtime/include/kifu/version.h"))
        series = ".".join(version[:2])
        self.assertEqual(re.search(r'VERSION = "(.*)"', text("codegen/python/kifuc/__init__.py")).group(1), ".".join(version))
        self.assertEqual(re.match(r"kifu \((.*)-[^-]*\) ", text(DEBIAN / "changelog")).group(1), ".".join(version))
        self.assertTrue((DEBIAN / f"libkifu{series}.install").exists(), "the package is named by the soname")
        for page in (DEBIAN / "control", "runtime/docs/packages.md"):
            self.assertEqual(set(re.findall(r"libkifu(\d+\.\d+)", text(page))), {series}, page)
        self.assertEqual(re.search(r"\*\*Version (.*?)\.\*\*", text("README.md")).group(1), series)
        self.assertEqual(re.search(r"(?m)^## From \S+ to (\S+)$", text("runtime/docs/changes.md")).group(1), series)

    def test_Y09_each_file_has_a_licence(self):
        """By REUSE, as far as one file says it of all; its texts lie in .reuse, too."""
        stanzas = re.findall(r"(?m)^Files: (.*)\nCopyright: (\d{4} .+)\nLicense: (\S+)$", text(".reuse/dep5"))
        named = re.findall(r"(?m)^Files:", text(".reuse/dep5"))
        self.assertEqual(len(stanzas), len(named), "each stanza has Files, Copyright and License")
        patterns = [re.escape(each).replace(r"\*", ".*") for files, _, _ in stanzas for each in files.split()]
        for path in self.files():
            self.assertTrue(any(re.fullmatch(each, path) for each in patterns), f"{path}: add it to .reuse/dep5")
        texts = {path.stem for path in (SOURCE / ".reuse" / "LICENSES").iterdir()}
        self.assertEqual(texts, {licence for _, _, licence in stanzas})
        self.assertEqual(text(".reuse/LICENSES/MIT.txt"), text("LICENSE"))
        self.assertIn(stanzas[0][1].split(" ", 1)[1], text("LICENSE"))
        in_debian = re.sub(r"(?m)^ \.?", "", text(DEBIAN / "copyright").split("License: Expat\n")[-1])
        self.assertTrue(text("LICENSE").endswith(in_debian), "runtime/package/debian/copyright")

    def files(self):
        """What git lists; without git, all that is not built."""
        if shutil.which("git") and (SOURCE / ".git").exists():
            listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=SOURCE, check=True,
                                    capture_output=True, text=True)
            return listed.stdout.splitlines()
        paths = [path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file()]
        return [str(path) for path in paths if path.parts[0] not in ("build", ".git") and "__pycache__" not in path.parts]

    def test_Y09_dev_says_which_command_there_is_not(self):
        done = subprocess.run([SOURCE / "dev", "foo"], check=False, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "dev: there is no command 'foo'; `./dev help` lists the commands\n")

    def test_Y09_the_workflow_only_calls_dev(self):
        listed = subprocess.run([SOURCE / "dev", "help"], check=True, capture_output=True, text=True).stdout
        workflows = list((SOURCE / ".github" / "workflows").iterdir())
        self.assertTrue(workflows)
        for path in workflows:
            commands = re.findall(r"(?m)\brun: *(.*)$", text(path))
            self.assertTrue(commands, path)
            for command in commands:
                self.assertRegex(command, r"^\./dev [\w-]+( --[\w-]+)*$", path)
                for word in command.split()[1:]:
                    self.assertRegex(listed, rf"(?m)(^\./dev {word}\b|{word}\b)", command)

    def test_Y09_pages_for_contributors(self):
        for name in ("CONTRIBUTING.md", "SECURITY.md"):
            page = SOURCE / ".github" / name
            self.assertLessEqual(text(page).count("\n"), 300, name)
            for target in re.findall(r"\]\(([^)#:]+)", text(page)):
                self.assertTrue((page.parent / target).exists(), f"{name}: {target}")
            for command in re.findall(r"`\./dev (\w+)", text(page)):
                self.assertIn(f"./dev {command}", text("dev"), name)


if __name__ == "__main__":
    unittest.main()
