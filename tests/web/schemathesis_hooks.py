"""The settings of schemathesis: hand records and lines of JSON are sent unchanged."""

from typing import Any

import schemathesis


@schemathesis.serializer("application/toml", "application/x-ndjson")
def as_text(ctx: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
