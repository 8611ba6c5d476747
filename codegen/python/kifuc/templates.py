"""The templates, and filling one.

A template becomes a script of Python, whose global names are what it is filled with. Jinja only parses the template. Python
keeps the compiled script, so kifuc needs Jinja only after a template changed.
"""

import os
import sys
from importlib.machinery import SourceFileLoader
from types import SimpleNamespace

from . import TEMPLATES
from .report import Stop


class Templates:
    """The templates; `content`: what all of them use."""

    def __init__(self, content=None):
        self.content = {**(content or {}), "import_": self._import, "extend_": self._run}
        self.codes = {}
        self.imported = {}

    def render(self, name, context):
        """A filled template. Parts of it that came out empty leave no more than one blank line."""
        names = {**self.content, **context}
        self._run(name, names)
        text = "".join(names["output_"])
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text

    def _run(self, name, names):
        if name not in self.codes:
            self.codes[name] = _Loader(name, os.path.join(TEMPLATES, *name.split("/"))).get_code(name)
        exec(self.codes[name], names)

    def _import(self, name):
        """A template's macros."""
        if name not in self.imported:
            names = dict(self.content)
            self._run(name, names)
            self.imported[name] = SimpleNamespace(**names)
        return self.imported[name]


class _Loader(SourceFileLoader):
    """Loads a template as Python loads a module: compiled before, if it has not changed since."""

    def path_stats(self, path):
        """A change of this module compiles it again, too."""
        stats = super().path_stats(path)
        return {**stats, "mtime": stats["mtime"] + super().path_stats(__file__)["mtime"]}

    def source_to_code(self, data, path):
        return compile(_Script(_parse(data.decode("utf-8"))).text, path, "exec", dont_inherit=True)


def _parse(text):
    kept, sys.pycache_prefix = sys.pycache_prefix, None  # Jinja is compiled already.
    try:
        import jinja2
    except ImportError as error:
        raise Stop("this Python has no Jinja2: install it (Debian, Ubuntu: apt install python3-jinja2; elsewhere: "
                   "python3 -m pip install jinja2)") from error
    finally:
        sys.pycache_prefix = kept
    return jinja2.Environment(keep_trailing_newline=True).parse(text)


class _Script:
    """What a parsed template becomes: statements that append text to the list `output_`. A method for each of Jinja's
    statements that the templates use is called as Jinja calls it; `_expression` knows the expressions."""

    def __init__(self, template):
        self.lines = []
        self.depth = 0
        self.parent = None
        self._output(template.body)
        if self.parent:
            self._add("extend_(%s, globals())" % self.parent)
        self.text = "\n".join(self.lines) + "\n"

    def _add(self, line):
        self.lines.append("    " * self.depth + line)

    def _statements(self, nodes):
        for each in nodes:
            getattr(self, type(each).__name__)(each)

    def _indented(self, head, nodes, do=None):
        self._add(head)
        self.depth += 1
        self._add("pass")
        (do or self._statements)(nodes)
        self.depth -= 1

    def _output(self, nodes):
        self._add("output_ = []")
        self._add("write_ = output_.append")
        self._statements(nodes)

    def _function(self, head, nodes):
        self._indented("def %s:" % head, nodes, self._output)
        self._add('    return "".join(output_)')

    def Output(self, node):
        self._add("write_(%s)" % _text(node.nodes))

    def Assign(self, node):
        self._add("%s = %s" % (_expression(node.target), _expression(node.node)))

    def If(self, node):
        self._indented("if %s:" % _expression(node.test), node.body)
        for each in node.elif_:
            self._indented("elif %s:" % _expression(each.test), each.body)
        if node.else_:
            self._indented("else:", node.else_)

    def For(self, node):
        assert not node.else_, "a template's for has no else"
        target, found = _expression(node.target), _expression(node.iter)
        if node.test:
            found = "[%s for %s in %s if %s]" % (target, target, found, _expression(node.test))
        self._indented("for %s in %s:" % (target, found), node.body)

    def Macro(self, node):
        assert not node.defaults, "a template's macro has no defaults"
        self._function("%s(%s)" % (node.name, ", ".join(each.name for each in node.args)), node.body)

    def Block(self, node):
        """A function, which the template that is extended calls."""
        if self.parent:
            self._function("block_%s()" % node.name, node.body)
        else:
            self._add("write_(block_%s())" % node.name)

    def Extends(self, node):
        self.parent = _expression(node.template)

    def Import(self, node):
        self._add("%s = import_(%s)" % (node.target, _expression(node.template)))


_COMPARISONS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in"}
_EXPRESSIONS = {
    "Name": lambda node: node.name,
    "Const": lambda node: repr(node.value),
    "Getattr": lambda node: "%s.%s" % (_expression(node.node), node.attr),
    "Getitem": lambda node: "%s[%s]" % (_expression(node.node), _expression(node.arg)),
    "Call": lambda node: "%s(%s)" % (_expression(node.node), _list(node.args + node.kwargs)),
    "Keyword": lambda node: "%s=%s" % (node.key, _expression(node.value)),
    "Concat": lambda node: "(%s)" % _text(node.nodes),
    "Tuple": lambda node: "(%s)" % _list(node.items),
    "List": lambda node: "[%s]" % _list(node.items),
    "Dict": lambda node: "{%s}" % _list(node.items),
    "Pair": lambda node: "%s: %s" % (_expression(node.key), _expression(node.value)),
    "CondExpr": lambda node: "(%s if %s else %s)" % (_expression(node.expr1), _expression(node.test),
                                                     _expression(node.expr2) if node.expr2 else '""'),
    "Compare": lambda node: "(%s%s)" % (_expression(node.expr), "".join(_expression(each) for each in node.ops)),
    "Operand": lambda node: " %s %s" % (_COMPARISONS[node.op], _expression(node.expr)),
    "Not": lambda node: "(not %s)" % _expression(node.node),
    "Neg": lambda node: "(-%s)" % _expression(node.node),
}


def _expression(node):
    """An expression of a template as one of Python."""
    make = _EXPRESSIONS.get(type(node).__name__)
    return make(node) if make else "(%s %s %s)" % (_expression(node.left), node.operator, _expression(node.right))


def _list(nodes):
    return "".join(_expression(each) + ", " for each in nodes)


def _text(nodes):
    """Text and expressions, one behind the other, as one expression."""
    form, values = "", []
    for each in nodes:
        text = getattr(each, "data", getattr(each, "value", None))  # Of a TemplateData or Const.
        if isinstance(text, str):
            form += text.replace("%", "%%")
        else:
            form += "%s"
            values.append(each)
    return "%r %% (%s)" % (form, _list(values))
