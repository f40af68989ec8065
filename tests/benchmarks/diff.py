"""How the anchored comparison does against difflib on the same inputs, in the same run. By hand:

    python -m tests.benchmarks.diff [--without-difflib]

Prints seconds, steps, and the ratio to difflib where that ends in reasonable time.
"""

import random
import sys
import time
from collections.abc import Callable
from difflib import SequenceMatcher

from covel_inspector.text.diff import apply, diff_texts
from covel_inspector.text.units import split_lines, split_units

_CHINESE = "".join(chr(0x4E00 + number * 7) for number in range(2500))
_WORDS = [f"w{number:x}" for number in range(3000)]


def chinese_line(dice: random.Random) -> str:
    return "".join(dice.choices(_CHINESE, k=dice.randrange(20, 90))) + "。\n"


def english_line(dice: random.Random) -> str:
    return " ".join(dice.choices(_WORDS, k=dice.randrange(4, 16))) + ".\n"


def edited(lines: list[str], dice: random.Random, share: float) -> list[str]:
    """Lines with some changed in one place, some dropped, some added."""
    result = []
    for line in lines:
        if dice.random() >= share:
            result.append(line)
        elif dice.random() < 0.6:
            middle = len(line) // 2
            result.append(line[:middle] + "X1" + line[middle + 2 :])
        elif dice.random() < 0.5:
            result += [line, dice.choice(lines)]
    return result


def cases() -> dict[str, tuple[str, str]]:
    dice = random.Random(5)
    chinese = [chinese_line(dice) for _ in range(18000)]
    english = [english_line(dice) for _ in range(21000)]
    return {
        "1 MB Chinese, 2 % of lines": ("".join(chinese), "".join(edited(chinese, dice, 0.02))),
        "1 MB English, 2 % of lines": ("".join(english), "".join(edited(english, dice, 0.02))),
        "the same, a blank line after each": (
            "\n".join(english),
            "\n".join(edited(english, dice, 0.02)),
        ),
        "1 MB Chinese, one line": (
            "".join(chinese).replace("\n", ""),
            "".join(edited(chinese, dice, 0.02)).replace("\n", ""),
        ),
        "1 MB JSON-like, one line, no sentences": (
            "{" + ",".join(f'"k{n}":{dice.randrange(10**6)}' for n in range(60000)) + "}",
            "{" + ",".join(f'"k{n}":{dice.randrange(10**6)}' for n in range(60000)) + "}",
        ),
        "20,000 Chinese characters, everything different": (
            "".join(dice.choices(_CHINESE, k=20000)),
            "".join(dice.choices(_CHINESE, k=20000)),
        ),
        "400,000 Chinese characters, everything different": (
            "".join(dice.choices(_CHINESE, k=400000)),
            "".join(dice.choices(_CHINESE, k=400000)),
        ),
        "10,000 lines of two kinds": (
            "".join(dice.choice(["yes\n", "no\n"]) for _ in range(10000)),
            "".join(dice.choice(["yes\n", "no\n"]) for _ in range(10000)),
        ),
        "100,000 words of two kinds in a line": (
            " ".join(dice.choice(["yes", "no"]) for _ in range(100000)),
            " ".join(dice.choice(["yes", "no"]) for _ in range(100000)),
        ),
        "5,000 equal lines more": ("same\n" * 20000, "same\n" * 25000),
    }


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    value = work()
    return time.perf_counter() - start, value


def difflib_seconds(a: str, b: str) -> float | None:
    """Lines by difflib, or units when there is only one line; None where it would take minutes."""
    lines_a, lines_b = split_lines(a, 10**9), split_lines(b, 10**9)
    if len(lines_a) < 2:
        lines_a, lines_b = split_units(a), split_units(b)
    common: dict[str, int] = {}
    for line in lines_b:
        common[line] = common.get(line, 0) + 1
    if sum(common.get(line, 0) for line in lines_a) > 3_000_000:
        return None
    return timed(lambda: SequenceMatcher(None, lines_a, lines_b, autojunk=False).get_opcodes())[0]


def main() -> None:
    for name, (a, b) in cases().items():
        seconds, result = timed(lambda a=a, b=b: diff_texts(a, b))
        assert apply(a, b, result.hunks) == b
        peer = None if "--without-difflib" in sys.argv else difflib_seconds(a, b)
        ratio = f"difflib {peer:6.2f} s, ratio {seconds / peer:5.2f}" if peer else "difflib: minutes"
        print(
            f"{name:52} {seconds:6.2f} s {result.steps:>10,} steps {len(result.hunks):>6} hunks"
            f" {result.outcome:9} {ratio}"
        )


if __name__ == "__main__":
    main()
