"""Clocks: what they show, who runs out of time, and what is credited when the service was away."""
