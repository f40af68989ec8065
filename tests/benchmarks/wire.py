"""How long a body takes to be built, against ``json.dumps`` of the same body in the same run.

Run by hand::

    PYTHONPATH=.:tests/support python tests/benchmarks/wire.py

A context of about 200 kB is made from a sample call by giving it a long history. Aim: the body alone at most 2 times
the peer, for each protocol; traces are made on demand and counted beside it.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from sample_calls import read_sample

from covel_inspector.domain import BodySource, Protocol
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.textpack import default_pack
from covel_inspector.engines.covel.wire import WireCall, WireTexts, build, wire_body
from covel_inspector.engines.covel.wire.places import holds

CONTEXT = 200_000
ROUNDS = 50


def long_call(paragraphs: int) -> WireCall:
    """A call of the sample with a longer history; a reply holds the sample's reply ``paragraphs`` times."""
    sample = read_sample("emberwatch")
    call = max((one.call for one in sample.calls), key=lambda call: len(call.messages))
    system, *rest = call.messages
    told = [message for message in rest if isinstance(message.content, str) and message.role in ("user", "assistant")]
    history: list[KernelMessage] = []
    size = 0
    while size < CONTEXT:
        for message in told:
            text = "\n\n".join([f"({len(history)})", *[str(message.content)] * paragraphs])
            history.append(KernelMessage(role=message.role, content=text))
            size += len(text.encode())
    return WireCall(Protocol.ANTHROPIC, call.model or "", [system, *history, *rest], call.tools, stream=True)


def best(work: Callable[[], object]) -> float:
    """Median CPU time of a piece of work in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    """Print the ratios for each protocol, with short and with long messages."""
    texts, source = WireTexts.of(default_pack()), BodySource.BUILT_FROM_RECORDED
    for paragraphs in (1, 3):
        base = long_call(paragraphs)
        request = request_of(base.messages, base.tools)
        for protocol in Protocol:
            call = replace(base, protocol=protocol)
            draft = build(call, texts)
            traced = wire_body(draft, request, source)
            if not all(holds(trace, draft.body, request) for trace in traced.traces):
                raise SystemExit("a trace does not hold: nothing is measured")
            peer = best(lambda body=draft.body: json.dumps(body))
            ours = best(lambda call=call: build(call, texts))
            traces = best(
                lambda draft=draft, request=request: wire_body(draft, request, BodySource.BUILT_FROM_RECORDED)
            )
            size = len(json.dumps(draft.body, ensure_ascii=False).encode()) // 1000
            sys.stdout.write(
                f"{protocol.value}, {size} kB, {len(call.messages)} messages: json.dumps {peer:.2f} ms, "
                f"body {ours:.2f} ms, ratio {ours / peer:.2f}; {len(traced.traces)} traces {traces:.2f} ms, "
                f"ratio {traces / peer:.2f}\n"
            )


if __name__ == "__main__":
    main()
