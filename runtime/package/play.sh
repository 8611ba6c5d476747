#!/bin/sh
# Runs on the fresh system of try.sh, in the home folder: README.md's games with the installed packages.
set -eu
cd "$HOME"
fail() {
    printf 'play.sh: %s\n' "$*" >&2
    exit 1
}

# "A new game in one command"
kifuc new checkers
cmake -S checkers -B checkers/build
cmake --build checkers/build
echo 3 | checkers/build/checkers | tee checkers/played
grep -q 'add, number 3' checkers/played || fail "kifuc new: the game does not play"

# "In your own project"
cmake -S nim -B nim/build
cmake --build nim/build
printf 'take 3 6\ntake 2 5\nundo\nredo\nsave\n' | nim/build/nim_app nim/game.kifu | tee nim/played
grep -q 'player 1 takes 6 from heap 3' nim/played || fail "the tutorial's game does not play"
ldd nim/build/nim_app | grep -q libkifu.so || fail "the tutorial's game does not use the shared library"
kifu info nim/game.kifu | grep 'a game of nim' || fail "kifu info"

# By pkg-config, with the static library.
kifuc gen nim/nim.fbs -o nim/gen
# shellcheck disable=SC2046 # a list
(cd nim && gcc -std=c11 -Igen -static -o static gen/nim.c rules.c main.c draw.c $(pkg-config --static --cflags --libs kifu))
printf 'take 3 6\n' | nim/static nim/other.kifu | grep 'player 1 takes 6' || fail "the static game does not play"

printf 'played: on a fresh system: kifuc new, the game of the tutorial (libkifu.so), a static one by pkg-config, kifu info\n'
