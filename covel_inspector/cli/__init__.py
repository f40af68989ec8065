"""The command line: whatever can be asked without a window.

Exit status: 0 all is well; 1 where a command's help says so (two requests differ, a request is not there); 2 a file
cannot be read or the command line is wrong; 3 a mistake of the program itself.

Start-up stays quick: nothing heavy (Qt, pydantic, sqlite-utils, tiktoken) is imported before a command needs it.
"""

import sys


def main() -> None:
    """Run the command line of this process and end with its exit status."""
    from covel_inspector.cli.program import run

    sys.exit(run(sys.argv[1:]))
