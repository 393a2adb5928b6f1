"""Media tools shared by generators and checks.

Owns how FFmpeg is found and run, how a file is probed and how loudness is measured. Knows
nothing of providers, tasks or timelines; imports only third-party packages.
"""
