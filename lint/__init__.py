"""What a pipeline lacks: findings about a program as some passes left it."""
