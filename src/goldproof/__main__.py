"""`python -m goldproof` is the `goldproof` command."""

from goldproof.cli.main import main

if __name__ == "__main__":
    main()
