"""The constants that say how many elements the arrays of structs have."""

from . import names, text


def of(game, struct):
    """The struct's fixed arrays: (field, name of its constant). Those of the state are words of the game itself."""
    namespace, _ = names.split(struct.name)
    owner = (names.prefix(namespace) if namespace else game.prefix) if struct is game.state else struct.c_name
    return [(field, ("%s_%s_count" % (owner, field.name)).upper()) for field in struct.fields if field.count]


def name_all(game):
    """Lets the arrays of the game's structs name their sizes."""
    for struct in game.structs:
        constants = {field.name: name for field, name in of(game, struct)}
        for member in struct.members:
            member.count_name = constants.get(member.name, "")


def declaration(game, struct):
    """The enum that declares them; nothing for a struct without arrays."""
    constants = ["%s = %d" % (name, field.count) for field, name in of(game, struct)]
    if not constants:
        return ""
    line = "enum { %s };\n" % ", ".join(constants)
    if len(line) > text.WIDTH + 1:
        line = "enum {\n%s};\n" % "".join("    %s,\n" % each for each in constants)
    return line + "\n"
