"""How long the command line takes to say its help, against a Python that only imports click. By hand:

    python -m tests.benchmarks.start

Prints the best of several runs of both, and the ratio: start-up is slow when something heavy is imported too early.
"""

import subprocess
import sys
import time

RUNS = 7
PEER = "import click, json, dataclasses"
OURS = "import sys; from covel_inspector.cli.program import run; sys.exit(run(['--help']))"


def best(code: str) -> float:
    """Seconds of the quickest of several runs in processes of their own."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    peer, ours = best(PEER), best(OURS)
    print(f"import of click alone {peer:.3f} s, covel-inspector --help {ours:.3f} s, ratio {ours / peer:.2f}")


if __name__ == "__main__":
    main()
