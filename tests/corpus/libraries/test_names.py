"""The names of real libraries: what a bare name of a question may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries import KnownName, open_library, open_names

if TYPE_CHECKING:
    from goldproof.corpus.libraries import NameIndex
    from tests.corpus.libraries.conftest import MakeWheel


@pytest.fixture(scope="module")
def yaml() -> NameIndex:
    return open_names(open_library("PyYAML"))


@pytest.fixture(scope="module")
def pydantic() -> NameIndex:
    return open_names(open_library("pydantic"))


def test_a_name_is_found_by_its_last_parts_and_named_by_its_shortest_public_path(yaml: NameIndex) -> None:
    known = KnownName(path="yaml.SafeLoader", defined="yaml.loader.SafeLoader", kind="class")
    for name in ("SafeLoader", "yaml.SafeLoader", "loader.SafeLoader", "yaml.loader.SafeLoader"):
        assert [one.defined for one in yaml.find(name)] == [known.defined]
    assert yaml.find("SafeLoader") == (known,)
    assert yaml.find("safe_load") == (KnownName("yaml.safe_load", "yaml.safe_load", "function"),)
    assert yaml.find("Safeloader") == yaml.find("feLoader") == yaml.find("nothing") == ()


def test_an_inherited_member_is_found_through_its_heir(yaml: NameIndex) -> None:
    assert yaml.find("SafeLoader.construct_object") == (
        KnownName("yaml.SafeLoader.construct_object", "yaml.constructor.BaseConstructor.construct_object", "method"),
    )
    assert "construct_object" in yaml.members("yaml.SafeLoader")
    assert yaml.find("SafeLoader.nothing") == ()


def test_members_of_a_module_are_what_it_offers_not_what_it_uses(yaml: NameIndex) -> None:
    members = yaml.members("yaml")
    assert {"safe_load", "SafeLoader", "YAMLError"} <= set(members)
    assert "re" not in yaml.members("yaml.resolver")
    assert yaml.members("yaml.nothing") == ()


def test_near_names_are_suggested(yaml: NameIndex) -> None:
    assert yaml.near("yaml.SafeLoder")[0] == "yaml.SafeLoader"
    assert len(yaml.near("Loader")) <= 3


def test_a_class_out_of_a_compiled_module_is_found_before_the_longer_path(pydantic: NameIndex) -> None:
    found = pydantic.find("ValidationError")
    assert (found[0].path, found[0].kind) == ("pydantic.ValidationError", "class")
    assert pydantic.find("BaseModel.model_dump")[0].kind == "method"
    assert pydantic.find("AliasGenerator.alias")[0].kind == "field"
    assert pydantic.import_names == ("pydantic",)


def test_only_what_is_under_test_is_known_not_what_it_needs(make_wheel: MakeWheel) -> None:
    make_wheel("stall", "0.3", body="def sell(): ...\n")
    make_wheel("kiosk", "1.0", requires=["stall"], body="def buy(): ...\n")
    names = open_names(open_library("kiosk==1.0"))
    assert [one.path for one in names.find("buy")] == ["kiosk.buy"]
    assert names.find("sell") == ()
    both = open_names(open_library("kiosk==1.0,stall==0.3"))
    assert [one.path for name in ("buy", "sell") for one in both.find(name)] == ["kiosk.buy", "stall.sell"]


@pytest.mark.slow
def test_names_of_google_adk() -> None:
    pytest.importorskip("google.adk", reason="google-adk is not installed: make setup")
    names = open_names(open_library("google-adk"))
    assert names.find("LlmAgent")[0].path == "google.adk.agents.LlmAgent"
    assert names.find("google.adk.Agent")[0].defined == "google.adk.agents.llm_agent.LlmAgent"
    assert names.find("LlmAgent.run_async")[0].defined == "google.adk.agents.base_agent.BaseAgent.run_async"
    assert names.find("EventsCompactionConfig.compaction_interval")[0].kind == "field"
