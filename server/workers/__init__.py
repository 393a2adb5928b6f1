"""The processes that do the work: turns, jobs, and the watchdog that finds what was dropped."""
