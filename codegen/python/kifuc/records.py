"""Classes that are little more than their members."""


def record(cls):
    """Gives a class a constructor that takes its annotated members, in their order. Where a default is `list` or `dict`,
    each object gets an empty one of its own. Python's dataclasses would take a twentieth of kifuc's time for 100 events."""
    parameters, lines = ["self"], []
    for name in cls.__annotations__:
        parameters.append("{0}=cls.{0}".format(name) if name in cls.__dict__ else name)
        form = "cls.{0}() if {0} is cls.{0} else {0}" if cls.__dict__.get(name) in (list, dict) else "{0}"
        lines.append("\n    self.%s = %s" % (name, form.format(name)))
    names = {"cls": cls}
    exec("def __init__(%s):%s" % (", ".join(parameters), "".join(lines)), names)
    cls.__init__ = names["__init__"]
    return cls
