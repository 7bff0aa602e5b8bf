"""The content of a Vega-Lite specification, at any depth of its pictures."""

from __future__ import annotations

from typing import Any, TypeAlias

Spec: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]


def panels_of(spec: Spec) -> list[Spec]:
    """Return the pictures side by side, also in nested rows; the specification itself if it is one picture."""
    return [panel for part in spec["concat"] for panel in panels_of(part)] if "concat" in spec else [spec]


def layers_of(spec: Spec) -> list[Spec]:
    return [layer for panel in panels_of(spec) for layer in panel["layer"]]


def layers_with(spec: Spec, mark: str) -> list[Spec]:
    return [layer for layer in layers_of(spec) if layer["mark"]["type"] == mark]


def rows_of(spec: Spec, layer: Spec) -> list[Row]:
    """Return the rows that a layer draws: its own, or those of the chart around it."""
    panel = next(panel for panel in panels_of(spec) if any(layer is one for one in panel["layer"]))
    data = next(part["data"] for part in (layer, panel, spec) if "data" in part)
    rows: list[Row] = data["values"] if "values" in data else spec["datasets"][data["name"]]
    return rows


def rows_in(spec: Spec) -> list[Row]:
    """Return the rows that the lowest layer of each picture draws."""
    return [row for panel in panels_of(spec) for row in rows_of(spec, panel["layer"][0])]
