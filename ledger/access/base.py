from typing import Protocol


class AccessStore(Protocol):
    def close(self) -> None: ...
