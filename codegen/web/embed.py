"""embed.py MODULE.wasm GAME OUTPUT.c: writes a module as C, packed by gzip, with its size in a comment."""

import gzip
import sys
from pathlib import Path


def main(module, game, output):
    plain = Path(module).read_bytes()
    packed = gzip.compress(plain, 9, mtime=0)
    rows = [",".join(map(str, packed[at:at + 32])) for at in range(0, len(packed), 32)]
    Path(output).write_text(
        f"// Made by embed.py: {len(plain)} bytes of WebAssembly, {len(packed)} of them packed.\n\n"
        f'#include "{game}_web.h"\n\nstatic const unsigned char bytes[] = {{\n' + ",\n".join(rows) + "};\n\n"
        f"const kifu_web_module {game}_web = {{bytes, sizeof bytes}};\n", encoding="utf-8")


main(*sys.argv[1:])
