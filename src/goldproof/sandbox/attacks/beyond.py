"""Known forgeries that the sandbox does not stop: code in the observer's process can do all that the observer does.

They must be written for this sandbox on purpose; scripts in practice are not like them. They are kept to document the
limit, and to notice when one is stopped.
"""

from __future__ import annotations

from goldproof.sandbox.attacks.faking import MESSAGE
from goldproof.sandbox.attacks.victim import LAST, forgery

_STOLEN = """
import select

for descriptor in range(3, 5000):
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if any(event & select.POLLIN for _, event in poll.poll(0)):
        token = os.read(descriptor, 32)
        to_all(token + framed)
        os._exit(0)
"""

# What is put back before the observer looks again was never changed, as far as it can see.
_FROM_WITHIN = """
def called():
    kept = goldproof_victim.add
    goldproof_victim.add = lambda *given: 424242
    try:
        return goldproof_victim.add(1, 2)
    finally:
        goldproof_victim.add = kept

observe("add", called)
"""

BEYOND = (
    forgery("stolen token", "Looks for a secret to sign a result with.", script=MESSAGE + _STOLEN + LAST),
    forgery("patched from within", "Replaces a function while it is observed.", script=_FROM_WITHIN),
)
