"""Promise G03: what the lock accepts, old saves prove; what it refuses would have misread them. case.py says how."""

import concurrent.futures
import os
import re
import shutil
import tempfile
import unittest

import cases
from versions import attributes


def build_all():
    """Generates and compiles each version once, and in parallel."""
    folder = tempfile.mkdtemp(prefix="kifu-lock-saves-")
    unittest.addModuleCleanup(shutil.rmtree, folder, True)
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1)
    unittest.addModuleCleanup(pool.shutdown)
    known = {}
    for case in cases.CASES:
        for i, version in enumerate(case.versions):
            key = version.key()
            if key not in known:
                known[key] = version
                version.generate(os.path.join(folder, str(len(known))))
                version.compiling = pool.submit(version.compile)
            case.versions[i] = known[key]


def setUpModule():
    build_all()


def translated(text, renames):
    """With new names for old ones, words at a time."""
    for old, new in renames.items():
        text = re.sub(r"(?<!\w)%s(?!\w)" % re.escape(old), new, text)
    return text


def differences(case, before, after):
    """What of a save's meaning is lost or is another now: paths with both values."""
    before, after = ({translated(path, case.renames): translated(value, case.renames) for path, value in each.items()}
                     for each in (before, after))
    found = {}
    for path in sorted(set(before) | set(after)):
        old, new = before.get(path), after.get(path)
        last = re.split(r"[ .]", re.sub(r"\[\d+\]", "", path))[-1]
        if old == new or any(re.search(r"\b%s\b" % each, path) for each in case.gone):
            continue
        if old is None and new.strip() == case.new.get(last):
            continue
        found[path] = (old, new)
    return found


class Saves(unittest.TestCase):
    maxDiff = None

    def release(self, case):
        """Locks one version after the other; returns whether the last was accepted, and what was said of it."""
        with tempfile.TemporaryDirectory(prefix="kifu-locks-") as folder:
            for version in case.versions[:case.judged]:
                good, said = version.lock(folder)
                self.assertTrue(good, said)
                for name in version.files:
                    os.remove(os.path.join(folder, name))
            return case.versions[case.judged].lock(folder)

    def misread(self, case):
        """What the last version makes of all earlier saves, where those before it saw something else."""
        found = {}
        last = case.versions[-1]
        for version in case.versions:
            own = version.meaning_of(version)
            self.assertEqual([], [line for line in own.items() if line[0].endswith((" load", " save"))])
        for i, version in enumerate(case.versions[:-1]):
            reader = case.versions[case.judged - 1] if i < case.judged else version
            for path, values in differences(case, reader.meaning_of(version), last.meaning_of(version)).items():
                found["%d: %s" % (i, path)] = values
        return found

    def prove(self, case):
        accepted, said = self.release(case)
        found = self.misread(case)
        if case.accepted:
            self.assertTrue(accepted, said)
            self.assertEqual(case.warns, "warning: " in said, said)
            self.assertEqual({}, found)
        else:
            self.assertFalse(accepted, said)
            self.assertRegex(said, r"(?m)^\S+:\d+: error: ")
            lines = ["%s:%s ->%s" % (path, *values) for path, values in found.items()]
            self.assertTrue(any(re.search(case.harm, line) for line in lines), "none of these is %s:\n%s" % (
                case.harm, "\n".join(lines[:30])))


class Covered(unittest.TestCase):
    def test_G03_every_attribute_is_in_a_case(self):
        """A new attribute needs a case in which it changes between two versions. Without (state), there is no game to save."""
        for name in set(attributes.KIFU) - {"state"}:
            with self.subTest(attribute=name):
                self.assertTrue(any(len({uses(name, version) for version in case.versions}) > 1 for case in cases.CASES))


def uses(attribute, version):
    """How often a schema has an attribute, with each value."""
    return tuple(sorted(value for text in version.files.values()
                        for value in re.findall(r'[(,] ?%s(?:: ?("[^"]*"))?(?=[,)])' % attribute, text)))


def add(case):
    name = "test_G03_%s_%s" % ("accepted" if case.accepted else "refused", re.sub(r"\W+", "_", case.name))
    assert not hasattr(Saves, name), name
    setattr(Saves, name, lambda self: self.prove(case))


for each in cases.CASES:
    add(each)

if __name__ == "__main__":
    unittest.main()
