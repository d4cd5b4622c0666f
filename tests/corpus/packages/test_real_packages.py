"""Real packages of other shapes, as they are installed: their names agree with what an import finds."""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.packages import open_package

if TYPE_CHECKING:
    from goldproof.corpus.packages import Package


@pytest.mark.parametrize(
    ("spec", "name", "path", "defined"),
    [
        ("PyYAML", "PyYAML", "yaml.SafeLoader", "yaml.loader.SafeLoader"),
        ("yaml", "PyYAML", "yaml.safe_load", "yaml.safe_load"),
        ("typer", "typer", "typer.Typer", "typer.main.Typer"),
        ("pydantic", "pydantic", "pydantic.BaseModel", "pydantic.main.BaseModel"),
        ("typing_extensions", "typing_extensions", "typing_extensions.deprecated", "typing_extensions.deprecated"),
    ],
)
def test_names_lead_to_their_definitions(spec: str, name: str, path: str, defined: str) -> None:
    package = open_package(spec)
    assert package.name == name
    assert package.names.resolve(path) == defined
    assert defined in {document.id for document in package.documents()}


def same_parameters(package: Package, path: str) -> None:
    module, _, name = path.rpartition(".")
    real = inspect.signature(getattr(importlib.import_module(module), name)).parameters.values()
    assert [p.name for p in package.inspect(path, fields="static").parameters] == [p.name for p in real]


def test_signatures_are_those_of_python() -> None:
    same_parameters(open_package("PyYAML"), "yaml.safe_dump_all")
    typer = open_package("typer")
    same_parameters(typer, "typer.Typer")
    same_parameters(typer, "typer.run")
    same_parameters(open_package("pydantic"), "pydantic.TypeAdapter")


def test_every_public_name_of_pydantic_is_known() -> None:
    package = open_package("pydantic")
    unknown = [
        name for name in importlib.import_module("pydantic").__all__ if not package.names.resolve(f"pydantic.{name}")
    ]
    assert all(package.names.others[f"pydantic.{name}"].target.startswith("pydantic_core.") for name in unknown)


@pytest.mark.slow
def test_numpy_is_told_by_its_stubs_where_its_code_is_compiled() -> None:
    package = open_package("numpy")
    assert package.inspect("numpy.ndarray").source == "numpy/__init__.pyi"
    assert package.inspect("numpy.mean").path == "numpy._core.fromnumeric.mean"
    assert len(package.inspect("numpy.array").overloads) > 1
    assert any("compiled module" in remark for remark in package.remarks)
    ids = [document.id for document in package.documents()]
    assert len(ids) == len(set(ids))
    assert not any(".tests." in name for name in ids)
