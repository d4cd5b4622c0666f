"""Calling user code: `user_object` finds and names it, `parameters` matches its parameters, `calls` runs it, so that a
crash or a call that never returns fails one query and not the whole run.
"""
