"""Nouns for what is simply there: land, water, sky, animals; the form of the table is in `nouns`."""

TABLE = """
lighthouse; lighthouse: a lighthouse|lighthouses,lighthouse keeper / ein Leuchtturm|Leuchttürme,Leuchtturmwärter / un faro|faros,farero /
  un phare|phares / un faro|fari / um farol|faróis / 등대|등대지기 / 灯塔|守塔人 / 灯台|灯台守
sea; sea, waves: the sea|ocean,coast,beach,island / das Meer|Ozean,Küste,Strand,Insel,Nordsee,Ostsee /
  el mar|océano,costa,playa,isla / la mer|océan,côte,plage,île / il mare|oceano,costa,spiaggia,isola /
  o mar|oceano,costa,praia,ilha / 바다|해변,섬,파도 / 大海|海洋,海边,海浪,海岛 / 海|浜辺,島,波
harbour; harbour, quay: a harbour|harbours,harbor,harbors,port / der Hafen|Häfen,Hafens / el puerto|puertos,muelle / le port|ports,quai /
  il porto|porti,banchina / o porto|portos,cais / 항구|항만,부두 / 港口|港湾,码头,海港 / 港|港湾,埠頭
mountain; mountains: a mountain|mountains / ein Berg|Berge,Gebirge / una montaña|montañas / une montagne|montagnes /
  una montagna|montagne / uma montanha|montanhas / 산|산맥 / 山|高山,山脉 / 山|山脈
forest; forest: the forest|forests,woods / der Wald|Wälder / el bosque|bosques / la forêt|forêts / la foresta|bosco /
  a floresta|bosque / 숲 / 森林|树林 / 森|森林
river; river: a river|rivers / ein Fluss|Flüsse / un río|ríos / une rivière|fleuve / un fiume|fiumi / um rio|rios / 강 / 河流|河 / 川
desert; dunes, desert: the desert|deserts,dunes / die Wüste|Wüsten,Dünen / el desierto / le désert / il deserto / o deserto / 사막 / 沙漠 / 砂漠
moon; moon, night: the moon / der Mond / la luna / la lune / la luna / a lua / 달 / 月亮 / 月
cat; cat: a cat|cats,kitten / eine Katze|Katzen,Kater / un gato|gatos / un chat|chats / un gatto|gatti / um gato|gatos / 고양이 / 猫 / 猫
dog; dog: a dog|dogs,puppy / ein Hund|Hunde / un perro|perros / un chien|chiens / un cane|cani / um cão|cachorro,cães / 개|강아지 / 狗 / 犬
bird; bird: a bird|birds / ein Vogel|Vögel / un pájaro|pájaros / un oiseau|oiseaux / un uccello|uccelli / um pássaro|pássaros / 새 / 鸟 / 鳥
horse; horse: a horse|horses / ein Pferd|Pferde / un caballo|caballos / un cheval|chevaux / un cavallo|cavalli / um cavalo|cavalos / 말 / 马 / 馬
tree; tree: a tree|trees / ein Baum|Bäume / un árbol|árboles / un arbre|arbres / un albero|alberi / uma árvore|árvores / 나무 / 树 / 木
flower; flowers, leaves: a flower|flowers / eine Blume|Blumen / una flor|flores / une fleur|fleurs / un fiore|fiori / uma flor|flores / 꽃 / 花 / 花
"""
