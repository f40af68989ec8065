"""The rows and files of a session, hashed once, so that a call is attributed by look-ups."""

from dataclasses import dataclass

from covel_inspector.engines.covel.attribution.evidence import SessionEvidence


@dataclass(frozen=True, slots=True)
class SessionIndex:
    """Look-up tables over the evidence of one session; immutable, shared by all its calls."""

    evidence: SessionEvidence


def index_session(evidence: SessionEvidence) -> SessionIndex:
    """The look-up tables of a session. Build it again when the session's rows or the checkout change."""
    return SessionIndex(evidence)
