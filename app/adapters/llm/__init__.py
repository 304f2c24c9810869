"""Goals read by a language model behind an OpenAI-compatible endpoint."""
