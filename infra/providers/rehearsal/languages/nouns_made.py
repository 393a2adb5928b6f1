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
bridge; bridge: a bridge|bridges / eine Brücke|Brücken / un puente|puentes / un pont|ponts / un ponte|ponti / uma ponte|pontes / 다리 / 桥|大桥 / 橋
garden; leaves, flowers: a garden|gardens / ein Garten|Gärten / un jardín|jardines / un jardin|jardins / un giardino|giardini /
  um jardim|jardins / 정원 / 花园 / 庭|庭園
city; city skyline: the city|cities / die Stadt|Städte,Großstadt / la ciudad|ciudades / la ville|villes / la città / a cidade|cidades / 도시 / 城市 / 街|都市
castle; old stone castle: a castle|castles / eine Burg|Burgen,Schloss / un castillo|castillos / un château|châteaux / un castello|castelli /
  um castelo|castelos / 성 / 城堡 / 城
clock; clock, gears: a clock|clocks,watch / eine Uhr|Uhren / un reloj|relojes / une horloge|montre / un orologio|orologi / um relógio|relógios / 시계 / 时钟|钟表 / 時計
robot; robot, machine: a robot|robots / ein Roboter|Roboter / un robot|robots / un robot|robots / un robot / um robô|robôs / 로봇 / 机器人 / ロボット
boat; boat, waves: a boat|boats,ship,ships / ein Boot|Boote,Schiff,Schiffe / un barco|barcos / un bateau|bateaux / una barca|nave / um barco|navio / 배|선박 / 船|小船 / 船|舟
food; cup of tea, steam: tea|green tea / der Tee|Grüntee / el té / le thé / il tè / o chá / 차|녹차 / 茶|绿茶 / お茶|緑茶
"""
