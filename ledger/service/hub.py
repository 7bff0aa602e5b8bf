from typing import Any


class Hub:
    listening: int = 0

    def publish(self, published: Any) -> None: ...
    def close(self) -> None: ...
