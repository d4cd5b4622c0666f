"""Attacks that forge the result by changing code: the library, modules in its place, the observer."""

from __future__ import annotations

from goldproof.sandbox.attacks.victim import LAST, forgery

_CODE = """
goldproof_victim.add.__code__ = (lambda first, second: 424242).__code__
"""

_DEFAULT = """
goldproof_victim.add.__defaults__ = (424241,)
observe("add", goldproof_victim.add, 1)
"""

_METHOD = """
goldproof_victim.Box.open = lambda self: 424242
observe("open", goldproof_victim.Box().open)
"""

_ATTRIBUTE = """
goldproof_victim.Box.size = 424242
observe("size", getattr, goldproof_victim.Box, "size")
"""

_CONSTANT = """
goldproof_victim.LIMIT = 424242
observe("limit", getattr, goldproof_victim, "LIMIT")
"""

_FOR_A_MOMENT = """
from unittest import mock

with mock.patch("goldproof_victim.add", return_value=424242):
    observe("add", goldproof_victim.add, 1, 2)
"""

_NAMESPACE = """
vars(goldproof_victim)["add"] = lambda *given: 424242
"""

_GLOBALS = """
goldproof_victim.add.__globals__["operator"] = type("operator", (), {"add": staticmethod(lambda *given: 424242)})
"""

_REPLACED = """
import sys, types

fake = types.ModuleType("goldproof_victim")
fake.add = lambda *given: 424242
sys.modules["goldproof_victim"] = fake
import goldproof_victim
"""

_SHADOW = """
import sys

with open("goldproof_victim.py", "w") as file:
    file.write("LIMIT = 424242\\ndef add(*given): return 424242\\n")
del sys.modules["goldproof_victim"]
sys.path.insert(0, ".")
"""

_SHADOWED = (
    _SHADOW
    + """
import goldproof_victim
"""
)

_SHADOWED_NAME = (
    _SHADOW
    + """
from goldproof_proof import observe_name

observe_name("goldproof_victim.LIMIT")
"""
)

_BUILTINS = """
import builtins

builtins.repr = lambda value: "424242"
builtins.str = type("str", (str,), {"__new__": lambda cls, *given: "424242"})
builtins.type = lambda value: int
builtins.isinstance = lambda value, kind: True
"""

_ENCODER = """
import json

json.dumps = json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *given, **named: '{"literal": "424242"}'
json.encoder.encode_basestring_ascii = json.encoder.py_encode_basestring_ascii = lambda text: '"424242"'
"""

_OBSERVER = """
import sys

def fake(*given, **named):
    return {"kind": "call", "name": "add", "literal": "424242"}

for name, module in list(sys.modules.items()):
    if name.split(".")[0] in ("goldproof_proof", "goldproof_inside"):
        for key, value in list(vars(module).items()):
            if callable(value) and not isinstance(value, type):
                setattr(module, key, fake)
import goldproof_proof
goldproof_proof.observe("add", goldproof_victim.add, 1, 2)
"""

_HELPED = """
import changing

changing.change()
"""

_LATE = """
import threading, changing

threading.Thread(target=changing.change, daemon=True).start()
"""

# In a file of its own, so that it is not the script itself.
_SPOIL = """
import gc, sys, time

def spoil(found):
    for one in found:
        if type(one) is dict and one.get("name") == "add" and isinstance(one.get("value"), dict):
            one["value"].update(literal="424242", repr="424242", str="424242")
            return True
    return False

def spoil_frames(frame):
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for inner in (value, getattr(value, "observations", None), getattr(value, "__self__", None)):
                try:
                    spoil([inner]) or spoil(inner() if callable(inner) else inner)
                except Exception:
                    pass
        frame = frame.f_back
"""

_HEAP = (
    _SPOIL
    + """
def change():
    spoil(gc.get_objects())
"""
)

_FRAMES = (
    _SPOIL
    + """
def change():
    spoil_frames(sys._getframe())
"""
)

_TRACEBACK = (
    _SPOIL
    + """
def change():
    try:
        raise ValueError
    except ValueError as error:
        spoil_frames(error.__traceback__.tb_frame)
"""
)

_LATER = (
    _SPOIL
    + """
def change():
    for _ in range(100):
        if spoil(gc.get_objects()):
            break
        time.sleep(0.001)
"""
)

# Whoever stops watching when the script has ended is waited for.
_AFTERWARDS = (
    _SPOIL
    + """
def change():
    mine = sys.modules["__main__"]
    while sys.modules["__main__"] is mine:
        time.sleep(0)
    for _ in range(200):
        try:
            if spoil(gc.get_objects()):
                break
        except Exception:
            pass
"""
)

_WAITING = """
import sys, threading, changing

sys.setswitchinterval(1e-6)
threading.Thread(target=changing.change, daemon=True).start()
sys.stdout.write("x" * 5000)
"""

PATCHING = (
    forgery("patched function", "Replaces a function.", script="goldproof_victim.add = lambda *given: 424242\n" + LAST),
    forgery("patched code", "Replaces the code of a function.", script=_CODE + LAST),
    forgery("patched default", "Replaces a default value.", script=_DEFAULT),
    forgery("patched method", "Replaces a method.", script=_METHOD),
    forgery("patched attribute", "Replaces an attribute of a class.", script=_ATTRIBUTE),
    forgery("patched constant", "Replaces a constant.", script=_CONSTANT),
    forgery("patched for a moment", "Replaces a function and puts it back.", script=_FOR_A_MOMENT),
    forgery("patched by the namespace", "Replaces a function by the module's dictionary.", script=_NAMESPACE + LAST),
    forgery("patched globals", "Replaces what a function looks up.", script=_GLOBALS + LAST),
    forgery("replaced module", "Puts another module in its place.", script=_REPLACED + LAST),
    forgery("shadowed module", "Imports another package of the same name.", script=_SHADOWED + LAST),
    forgery("shadowed name", "Looks a name up in another package of the same name.", script=_SHADOWED_NAME),
    forgery("patched builtins", "Replaces builtins that an observer uses.", script=_BUILTINS + LAST),
    forgery("patched encoder", "Replaces what makes messages.", script=_ENCODER + LAST),
    forgery("patched observer", "Replaces functions of the observer.", script=_OBSERVER + LAST),
    forgery(
        "searched heap",
        "Changes the observation among all objects.",
        script=LAST + _HELPED,
        files={"changing.py": _HEAP},
    ),
    forgery(
        "searched frames",
        "Changes the observation in the frames that called it.",
        script=LAST + _HELPED,
        files={"changing.py": _FRAMES},
    ),
    forgery(
        "searched traceback",
        "Changes the observation in the frames of an exception.",
        script=LAST + _HELPED,
        files={"changing.py": _TRACEBACK},
    ),
    forgery(
        "thread after the end",
        "Waits in a thread until nobody watches.",
        script=LAST + _WAITING,
        files={"changing.py": _AFTERWARDS},
    ),
    forgery("late thread", "Goes on in a thread.", script=_LATE + LAST, files={"changing.py": _LATER}),
)
