from typing import Any


class ServedHistory:
    def __init__(self, ledger: Any, horizon: Any) -> None:
        self.position = horizon.head.position

    def start(self) -> None: ...
    def wake(self, h: Any) -> None: ...
    def close(self) -> None: ...
