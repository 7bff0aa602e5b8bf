"""Plots of the history: a query's rows become a Vega-Lite specification, and that a picture, without a browser."""
