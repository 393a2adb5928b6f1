"""Sound: synthesis and finishing of audio with numpy.

Owns instruments, harmony and arrangement of the music bed, and the finishing (equalising,
levelling, room, loudness, WAV) that speech shares. All randomness comes from a given seed; samples
are floats between -1 and 1, one row per moment, one column per channel.
"""
