"""kifuc: from a game's FlatBuffers schema to the C of its events. See ../../README.md."""

import os

VERSION = "0.9.0"  # KIFU_VERSION_STRING of runtime/include/kifu/version.h.
GENERATED_VERSION = 8  # KIFU_GENERATED_VERSION of runtime/include/kifu/detail/rules.h.

# codegen/, templates/ and schema/ lie side by side, in the sources as under share/kifu.
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
TEMPLATES = os.path.join(ROOT, "templates")
SCHEMA = os.path.join(ROOT, "schema")
FOREIGN = os.path.join(ROOT, "codegen", "foreign")
