"""How large pages that play are: a random game of each example, in KB (1,000 bytes). `./dev browser --sizes`."""

import gzip
import tempfile
from pathlib import Path

from page_help import Page, output, program, random_game
from test_page_play import GAMES, module_of


def main():
    print("KB          rules  gzipped    page  with --play  gzipped")
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            save = random_game(game, Path(folder) / "game.kifu", 1, 60)
            plain, playing = (output(*program(game), "html", "-q", *words, save) for words in ((), ("--play",)))
            rules = module_of(game).read_bytes()
            sizes = (len(rules), len(gzip.compress(rules, 9)), len(plain.encode()), len(playing.encode()),
                     len(gzip.compress(playing.encode(), 9)))
            print(f"{game:10}" + "".join(f"{size / 1000:{width}.0f}" for size, width in zip(sizes, (7, 9, 8, 13, 9))))


main()
