"""Files that ship with the package: the demo dataset in `demo/`, a BEIR folder with kernels and two runs."""
