"""What a program that was built with Kifu's public headers expects of the shared library: functions with their types, the
layout of each struct, the values of enums. gcc lists the functions, clang the structs."""

import re
import subprocess
from pathlib import Path


def read(include, folder, cc):
    """All of that as lines. Files are written to `folder`."""
    headers = sorted(path.relative_to(include) for path in Path(include).glob("kifu/**/*.h") if path.name != "zstd.h")
    names = [f"#include <{header}>\n" for header in headers]
    source = Path(folder, "abi.c")
    source.write_text("#include <stdio.h>\n" + "".join(names), encoding="utf-8")

    def run(*command):
        command = [*command, "-std=c11", "-I", str(include), str(source)]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout

    run(cc, "-fsyntax-only", "-aux-info", "functions")
    lines = set(re.findall(r"extern (.*\bkifu_\w+ \(.*\));", Path(folder, "functions").read_text(encoding="utf-8")))
    for layout in run("clang", "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete").split("\n\n"):
        size = re.search(r"\[sizeof=(\d+)", layout)
        members = [re.sub(r"\((\w+) at [^)]*\)", r"(\1)", line.strip()) for line in layout.split("\n") if re.match(r" +\d+", line)]
        name = members and members[0].split(" | ")[1]
        if name and re.match(r"(struct|union) kifu_\w+$", name):
            lines.add(f"{name}: {size.group(1)} bytes")
            lines |= {f"{name}: at {re.sub(' [|] *', ': ', member)}" for member in members[1:]}
    enums = re.findall(r"\benum\b[^;{]*\{([^}]*)\}", run(cc, "-E", "-P"))
    constants = sorted({name for enum in enums for name in re.findall(r"(?:^|,)\s*(KIFU_\w+)", enum)})
    printed = "".join(f'    printf("{name} = %lld\\n", (long long)({name}));\n' for name in constants)
    with source.open("a", encoding="utf-8") as program:
        program.write(f"int main(void)\n{{\n{printed}    return 0;\n}}\n")
    # Only constants: it needs no library.
    run(cc, "-O1", "-o", "constants")
    lines |= set(subprocess.run(["./constants"], check=True, capture_output=True, text=True, cwd=folder).stdout.splitlines())
    return sorted(lines)
