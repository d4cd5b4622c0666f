"""How Goldproof calls code of the user's: `user_object` finds and names it, `parameters` decides what it is given, and
`calls` runs it, so that a crash or a call that never returns is a reason and not the end of a run.
"""
