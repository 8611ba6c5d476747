"""What a template may say, and when it is compiled."""

import os
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

import tools
from kifuc import templates

FRAME = "<{{ title }}>\n{% block body %}{% endblock %}</>\n"
PARTS = "{% macro twice(text) %}{{ text }}{{ text ~ end }}{% endmacro %}"
PAGE = """{% extends "frame.j2" %}
{%- import "parts.j2" as parts -%}
{%- set title = kind ~ "s: 100%" -%}
{%- block body %}
{%- for each in items if each.size > 1 %}
{%- if each.name in ("b", "c") and not each.odd %}
{{ parts.twice(each.name) }}{{ " odd" if each.odd }}
{%- elif each.size >= 2 ** 3 %}
{{ {"x": each.size - 1}["x"] }}, {{ [1, 2][-1] }}
{%- else %}
-
{%- endif %}
{%- endfor %}
{% endblock %}
"""


class TemplateLanguage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kifu-templates-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        patch = mock.patch("kifuc.templates.TEMPLATES", self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, **texts):
        for name, text in texts.items():
            tools.write(os.path.join(self.folder, name + ".j2"), text)

    def render(self, text, **context):
        self.write(page=text)
        return templates.Templates({"end": "."}).render("page.j2", context)

    def test_all_that_they_may_say(self):
        self.write(frame=FRAME, parts=PARTS)
        items = [SimpleNamespace(name=name, size=size, odd=False) for name, size in zip("abcde", (1, 2, 3, 9, 4))]
        self.assertEqual("<items: 100%>\n\nbb.\ncc.\n8, 2\n-\n</>\n", self.render(PAGE, kind="item", items=items))
        self.assertEqual("a\n\nb", self.render("a\n\n{{ x }}\n\n\nb", x=""))

    def test_what_they_may_not_say_is_named(self):
        for text, said in (("\n{{ x | upper }}", "line 2: templates.py knows no Filter"),
                           ("{% call x() %}{% endcall %}", "line 1: templates.py knows no CallBlock"),
                           ("{% for x in [] %}{% else %}x{% endfor %}", "line 1: a template's for has no else"),
                           ("{% macro x(y=1) %}{% endmacro %}", "line 1: a template's macro has no defaults")):
            with self.assertRaisesRegex(AssertionError, said):
                self.render(text)
        with self.assertRaises(NameError):
            self.render("{{ nothing }}")

    def test_one_that_changed_is_compiled_anew(self):
        self.assertEqual("one", self.render("one"))
        self.assertEqual("three", self.render("three"))
        with mock.patch("kifuc.templates._Script") as script:
            self.assertEqual("three", self.render("three"))
            self.assertEqual(0, script.call_count)

    def test_a_change_of_what_compiles_them_compiles_all(self):
        self.render("one")
        path = os.path.join(self.folder, "page.j2")
        with mock.patch("kifuc.templates.__file__", path), \
                mock.patch("kifuc.templates._Script", wraps=templates._Script) as script:
            self.assertEqual("one", templates.Templates().render("page.j2", {}))
            self.assertEqual(1, script.call_count)


if __name__ == "__main__":
    unittest.main()
