"""The function or class that a snippet is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.languages import _NAMES
from goldproof.text.symbols import Symbol, enclosing_symbol

FUNCTIONS = [
    ("python", "def authenticate(username):\n    ...", "authenticate"),
    ("python", "    async def method(self):\n        return 1\n", "method"),
    ("python", "@route('/')\ndef index():\n    def inner(): ...\n", "index"),
    ("python", "    def cut_off(self):\n        if x:\n", "cut_off"),
    ("javascript", "export default async function load(a) {\n}", "load"),
    ("javascript", "const add = async (a, b) => a + b", "add"),
    ("javascript", "  render(props) {\n    if (a) {\n    }\n  }", "render"),
    ("typescript", "const f = (a: number): number => a;", "f"),
    ("java", "  public static <T> List<T> of(T a) throws X {\n    if (a) {}\n  }", "of"),
    ("c", "static int *find(char *a,\n                 int n)\n{\n  return 0;\n}", "find"),
    ("cpp", "void Foo::bar(int x) const {\n}", "Foo::bar"),
    ("go", "func (s *Server) Serve(a int) error {\n}", "Serve"),
    ("rust", "pub(crate) fn parse(a: &str) -> u8 {\n}", "parse"),
    ("ruby", "  def valid?\n  end", "valid?"),
    ("kotlin", "suspend fun String.shout() = 1", "shout"),
    ("php", "public static function make() {\n}", "make"),
    ("bash", "deploy() {\n  true\n}", "deploy"),
]
CLASSES = [
    ("python", "import a\n\nclass Cache(dict):\n    def get(self): ...\n", "Cache"),
    ("java", "package a;\n\n@Bean\npublic final class Cache<K> {\n    void get() {\n    }\n}", "Cache"),
    ("typescript", "export abstract class Store {\n  get() {\n  }\n}", "Store"),
    ("go", "type Server struct {\n}\n\nfunc main() {}", "Server"),
    ("rust", "impl<T> Display for Wrapper {\n    fn fmt() {}\n}", "Wrapper"),
    ("csharp", "namespace A.B;\n\npublic sealed class Job\n{\n}", "Job"),
    ("ruby", "module Tools\n  def a\n  end\nend", "Tools"),
]


@pytest.mark.parametrize(("language", "code", "name"), FUNCTIONS)
def test_a_function_is_found(language: str, code: str, name: str) -> None:
    assert enclosing_symbol(code, language) == Symbol(name, "function")


@pytest.mark.parametrize(("language", "code", "name"), CLASSES)
def test_a_class_is_found_before_what_is_inside_it(language: str, code: str, name: str) -> None:
    assert enclosing_symbol(code, language) == Symbol(name, "class")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = 1\n"),
        ("python", "if a:\n    b()\n"),
        ("java", "if (a) {\n}\nreturn foo(b);"),
        ("json", "{}"),
        ("javascript", "foo(a);\nwhile (x) {\n}"),
        ("text", "def f(): pass"),
        ("c", "int x = f(1);"),
    ],
)
def test_where_nothing_is_defined_nothing_is_found(language: str, code: str) -> None:
    assert enclosing_symbol(code, language) is None


@given(st.text(), st.sampled_from(sorted({*_NAMES.values()})))
def test_any_text_is_taken_without_an_error(code: str, language: str) -> None:
    found = enclosing_symbol(code, language)
    assert found is None or found.name in code


@pytest.mark.parametrize("language", ["java", "javascript", "kotlin", "python", "rust"])
@pytest.mark.parametrize("code", ["a " * 20000, "public " * 5000, "int f(" * 4000, "a(" * 8000, "x = (\n" * 3000])
def test_long_texts_that_almost_define_something_do_not_hang(code: str, language: str) -> None:
    assert enclosing_symbol(code, language) is None
