"""Output for people and programs: text, JSON, SARIF, HTML, pictures.

Begin with `render_diagnostic` for text, `html.page` for the report, `graph.pictures` for pictures.
"""
