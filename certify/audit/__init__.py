"""Monte Carlo audits: releases and attacks on a person's own data, beside the bounds that the claim's verdict proves.

An audit proves nothing. Where an empirical lower limit exceeds a certified bound, some assumption of the claim is
false, or an event of stated small probability happened.
"""
