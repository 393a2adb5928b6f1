"""Draw pictures from words: palette, composition, motifs, light, typography and texture.

Words of this package: a *brief* is what the words ask for; a *scene* is a stack of *layers* at
depths from 0 (the sky) to 1 (right before the lens); a *motif* draws one subject into a scene; a
*finish* is the look laid over all of it. Everything is a function of the request and its seed, so
the same request gives the same pixels. May import only `infra.providers.local.fonts` and `request`.
"""
