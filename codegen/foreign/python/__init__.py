"""What the Python module of each game has in common. `kifuc python` copies it beside the module; change it there never."""
