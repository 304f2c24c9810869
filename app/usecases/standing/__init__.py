"""Why a tool is not in an answer, and what would help."""
