"""From a goal to a plan: clauses, targets, what they need, in which order, with which inputs."""
