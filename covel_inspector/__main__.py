"""``python -m covel_inspector`` is the command line."""

from covel_inspector.cli import main

if __name__ == "__main__":
    main()
