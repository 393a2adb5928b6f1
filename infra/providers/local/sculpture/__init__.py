"""Objects in space: meshes, the forms they are built of, subjects made of forms, GLB and a view.

Lengths are metres, Y is up, the front looks along +Z, an object stands on the ground at y = 0 and
about the origin. Every form is a closed surface whose faces are counter-clockwise from outside.
"""
