"""Plots of the history: a question's rows become a Vega-Lite specification, and that a picture, without any browser."""
