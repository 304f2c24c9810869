"""Figures of one ranking or planner on one set."""
