"""What the Python modules of all games have in common. `kifuc python` copies it beside each module; do not change the copies."""
