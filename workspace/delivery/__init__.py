"""The checks on the way out: nothing is delivered that did not pass them, whatever a model says.

Validation asks whether a work is well formed and complete, audit whether it makes sense as a
finished work. Both only measure; a finding of severity error refuses the delivery.
"""
