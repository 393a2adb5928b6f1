"""Nouns for what is simply there: land, water, sky, animals; the form of the table is in `nouns`."""

TABLE = """
lighthouse; lighthouse: a lighthouse|lighthouses,lighthouse keeper / ein Leuchtturm|Leuchttürme,Leuchtturmwärter / un faro|faros,farero /
  un phare|phares / un faro|fari / um farol|faróis / 등대|등대지기 / 灯塔|守塔人 / 灯台|灯台守
sea; sea, waves: the sea|ocean,coast,beach,harbour,harbor,island / das Meer|Ozean,Küste,Strand,Hafen,Insel,Nordsee,Ostsee /
  el mar|océano,costa,playa,puerto,isla / la mer|océan,côte,plage,port,île / il mare|oceano,costa,spiaggia,porto,isola /
  o mar|oceano,costa,praia,porto,ilha / 바다|해변,항구,섬,파도 / 大海|海洋,海边,海浪,港口,海岛 / 海|浜辺,港,島,波
"""
