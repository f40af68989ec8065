"""What the engine refuses to build."""


class AssemblerError(ValueError):
    """``kind`` is the refusal's name (unsafe-tag, store-required, hidden-namespace), ``detail`` what it is about."""

    def __init__(self, kind: str, detail: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.detail = detail
