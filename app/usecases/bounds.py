"""How much may be asked for, how much it is unless given, and what each thing means: for every interface alike.

Nothing is imported here, so that `outfitter --help` need not wait for what reads requests.
"""

TOP_K, MAX_TOP_K = 5, 100
TOP_K_IS = "How many tools at most."
PREREQUISITES, MAX_PREREQUISITES = 5, 20
PREREQUISITES_ARE = "How many tools that the matches need may be added; they displace no match."
STEPS, MAX_STEPS = 10, 50
STEPS_ARE = "How many calls at most."
ONLY_CALLABLE_IS = (
    "true: no step may be one that you may not call or whose source is down; an equivalent stands in where each value is"
    " known to be the same, and what is left has no call. false: such steps are there, and say so. Unless given, true"
    " where policies are about you and calls are passed on."
)
MAX_NAME_CHARS = 80
"""Of a caller or group, as files of them accept."""
MAX_EXPLAINED = 20
"""Tools of which one request is answered why they are not found: each is explained as one of an answer is."""
MAX_PHRASINGS = 5
