"""`python -m karat` is the `karat` command."""

from karat.cli.main import main

if __name__ == "__main__":
    main()
