"""Hostile requests: what they may hold, how they are sent, what an answer has to be."""
