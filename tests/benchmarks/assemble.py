"""How long a context takes, alone and with its segment tree, against a JSON round trip of its params in the same run.

Run by hand::

    PYTHONPATH=. python tests/benchmarks/assemble.py

The params hold about 100 kB: 120 history rows, 24 extension segments, 30 characters, 12 lorebook entries, a body with
variables, and a budget that has to drop something. Aim: at most 2.5 times the peer.
"""

import json
import random
import time
from collections.abc import Callable

from covel_inspector.engines.covel.assembler import assemble
from covel_inspector.engines.covel.evaluate.context_params import context_params
from covel_inspector.engines.covel.textpack import default_pack

ROUNDS = 200
ENGLISH = ("harbor", "lamp", "rope", "seven", "bread", "winter", "tower", "copper", "salt", "river", "boat", "bell")
CHINESE = ("灯塔", "盐", "绳索", "七个", "面包", "冬天", "铜", "河流", "小船", "钟声", "石头", "安静", "玻璃", "码头")


def texts(seed: int, chinese: bool) -> Callable[[int], str]:
    """A maker of sentences of about so many characters."""
    dice = random.Random(seed)

    def text(size: int) -> str:
        words: list[str] = []
        length = 0
        while length < size:
            word = dice.choice(CHINESE if chinese else ENGLISH) + ("，" if chinese and dice.random() < 0.2 else "")
            words.append(word)
            length += len(word) + (not chinese)
        return ("" if chinese else " ").join(words) + ("。" if chinese else ".")

    return text


def params(chinese: bool, tight: bool) -> dict[str, object]:
    """The params of a context as JSON. ``tight``: the budget has to drop something."""
    text = texts(7, chinese)
    size = 500 if not chinese else 200
    positions: list[object] = ["system", "pre-history", "post-history", {"depth": 3}]
    world: dict[str, object] = {"id": "w", "name": text(12), "description": text(60), "lore": text(6 * size)}
    return {
        "promptTemplate": text(2 * size) + "\n{{ world.name }}\n<who>\n{{ characters.npcs }}\n</who>\n" + text(size),
        "manifest": {"name": "tale/teller", "pluginId": "tale", "outputKind": "story", "advertiseEvents": True},
        "turnInput": {"turnId": "t", "playerMessage": text(60), "locale": "zh-CN" if chinese else "en-US"},
        "messageHistory": [
            {"id": f"r{number}", "role": "user" if number % 2 == 0 else "assistant", "content": text(size)}
            for number in range(120)
        ],
        "promptSegments": [
            {
                "id": f"s{number}",
                "content": text(size // 2),
                "position": positions[number % 4],
                "audience": "all" if number % 5 else "self",
                "volatility": ("stable", "session", "turn")[number % 3],
                "order": number % 7,
                "providerPluginId": "tale" if number % 2 else "other",
            }
            for number in range(24)
        ],
        "sessionContext": {
            "turnNumber": 60,
            "world": world,
            "sessionMeta": {
                "turnNumber": 60,
                "characters": [
                    {
                        "id": f"c{number}",
                        "name": text(6),
                        "type": "npc" if number else "player",
                        "description": text(size // 4),
                        "fields": {"mood": text(10), "might": number, "bonds": [text(8), text(8)]},
                    }
                    for number in range(30)
                ],
            },
            "contributions": [
                {
                    "kind": "lore_entry",
                    "sourceId": f"l{number}",
                    "content": text(size // 2),
                    "position": ("before_plugin", "after_plugin", "at_depth")[number % 3],
                    "order": number,
                }
                for number in range(12)
            ],
        },
        "eventCatalogText": text(size),
        "estimator": "covel",
        "contextBudget": {"maxInputTokens": 19_000 if tight else 100_000, "reservedForResponse": 2_000},
    }


def median(work: Callable[[], object]) -> float:
    """Median CPU time of a piece of work, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)[ROUNDS // 2] * 1000


def main() -> None:
    pack = default_pack()
    for name, chinese, tight in (
        ("English, fits", False, False),
        ("English, pruned", False, True),
        ("Chinese, fits", True, False),
        ("Chinese, pruned", True, True),
    ):
        given = params(chinese, tight)
        size = len(json.dumps(given, ensure_ascii=False).encode())
        read = context_params(given)
        peer = median(lambda given=given: json.loads(json.dumps(given)))
        context = median(lambda read=read: assemble(read, pack))
        tree = median(lambda read=read: assemble(read, pack).tree)
        print(
            f"{name:16} {size / 1000:6.0f} kB  peer {peer:.2f} ms  context {context:.2f} ms ({context / peer:.2f} x)  "
            f"with tree {tree:.2f} ms ({tree / peer:.2f} x)"
        )


if __name__ == "__main__":
    main()
