"""The templates, and filling one."""

import os
import sys

from . import TEMPLATES
from .report import Stop


def environment(content=None):
    """The templates; `content`: what all of them use."""
    try:
        import jinja2
    except ImportError as error:
        raise Stop("this Python has no Jinja2: install it (Debian, Ubuntu: apt install python3-jinja2; elsewhere: "
                   "python3 -m pip install jinja2)") from error

    class Cache(jinja2.FileSystemBytecodeCache):
        """Compiled templates, beside Python's compiled modules. Where they cannot be written, they are compiled again."""

        def dump_bytecode(self, bucket):
            try:
                os.makedirs(self.directory, exist_ok=True)
                super().dump_bytecode(bucket)
            except OSError:
                pass

    class Code(jinja2.compiler.CodeGenerator):
        """Compiles calls, attributes and `~` to those of Python: our functions want nothing of Jinja's."""

        def visit_Call(self, node, frame, forward_caller=False):
            self.visit(node.node, frame)
            self.write("(")
            for each in node.args + node.kwargs:
                self.visit(each, frame)
                self.write(", ")
            self.write(")")

        def visit_Getattr(self, node, frame):
            self.visit(node.node, frame)
            self.write("." + node.attr)

        def visit_Concat(self, node, frame):
            self.write("(%r %% (" % ("%s" * len(node.nodes)))
            for each in node.nodes:
                self.visit(each, frame)
                self.write(", ")
            self.write("))")

    class Environment(jinja2.Environment):
        """Has the same globals for all templates."""

        code_generator_class = Code

        def make_globals(self, _):
            return self.globals

    result = Environment(loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined,
                         keep_trailing_newline=True, autoescape=False, auto_reload=False,
                         bytecode_cache=None if sys.dont_write_bytecode else Cache(_cache_folder()))
    result.globals.update(content or {})
    return result


def _cache_folder():
    """Where Python would put what it compiles from the folder of the templates."""
    if sys.pycache_prefix:
        return os.path.join(sys.pycache_prefix, os.path.relpath(TEMPLATES, os.path.abspath(os.sep)))
    return os.path.join(TEMPLATES, "__pycache__")


def render(templates, name, context):
    """A filled template. Parts of it that came out empty leave no more than one blank line."""
    text = templates.get_template(name).render(context)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text
