"""Programs that run inside the sandbox, by another interpreter: Python 3.9 or later, standard library only.

The host sends their sources; inside they are the package `goldproof_inside`. Nothing here imports goldproof.
"""
