"""HTTP: routes, problems and streams over the running service, and the process that serves them. It decides nothing
about a game and renders nothing.
"""
