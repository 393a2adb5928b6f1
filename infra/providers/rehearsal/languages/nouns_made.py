"""Nouns for things that people make, do and are; the form of the table is in `nouns`."""

TABLE = """
pottery; ceramic mug: a mug|mugs / ein Becher|Tasse,Tassen,Kaffeebecher / una taza|tazas /
  une tasse|tasses,mug / una tazza|tazze / uma caneca|canecas,xícara / 머그잔|머그컵,찻잔 /
  马克杯|杯子,茶杯 / マグカップ|カップ,湯のみ
pottery; ceramic vessel: pottery|ceramics,ceramic,potter,vase,porcelain / die Keramik|Töpferei,Töpfer,Töpferin,Vase,Porzellan /
  la cerámica|alfarería,alfarero,jarrón / la poterie|céramique,potier,vase / la ceramica|vasaio,vaso /
  a cerâmica|oleiro / 도자기|도예,도예가,그릇,항아리 / 陶器|陶瓷,陶艺,花瓶,瓷器 / 陶器|陶芸,焼き物,器
bread; loaf of bread: bread|loaf,sourdough,bakery,baker,baguette / das Brot|Brote,Bäcker,Bäckerei,Sauerteig,Bäckerin /
  el pan|panadería,panadero / le pain|boulangerie,boulanger,baguette / il pane|panificio,fornaio,panettiere /
  o pão|padaria,padeiro / 빵|빵집,베이커리,제빵사 / 面包|面包店,面包师 / パン|パン屋,パン職人
coffee; cup of coffee, steam: coffee|espresso,barista,café / der Kaffee|Espresso,Café,Barista / el café|cafés,cafetería /
  le café|cafés,expresso / il caffè|espresso,barista / o café|cafés,cafeteria / 커피|카페,바리스타,에스프레소 /
  咖啡|咖啡馆,咖啡店 / コーヒー|珈琲,喫茶店,カフェ
"""
