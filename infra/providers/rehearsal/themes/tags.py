"""Which theme a tag belongs to, how much it weighs, and the further words that point to it.

A noun of `languages.nouns` points to its tag by itself. The weight decides between two tags of one
subject: in "a handmade violin" the making wins over the music.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tag:
    """What a word says about a film."""

    theme: str
    weight: float = 1.0
    words: str = ""
    """Words of all languages, separated by spaces; "_" joins the words of a phrase."""


TAGS: dict[str, Tag] = {
    "birthday": Tag(
        "celebration",
        1.3,
        "birthday birthdays Geburtstag Geburtstage cumpleaños anniversaire compleanno aniversário "
        "생일 生日 誕生日",
    ),
    "wedding": Tag(
        "celebration",
        1.3,
        "wedding weddings marriage Hochzeit Trauung boda bodas mariage mariages matrimonio nozze "
        "casamento 결혼식 결혼 婚礼 结婚 結婚式 結婚",
    ),
    "party": Tag(
        "celebration",
        1.2,
        "party anniversary jubilee celebration Feier Jubiläum Sommerfest Familienfest fiesta "
        "celebración fête festa 잔치 파티 기념일 派对 庆典 周年 パーティー お祝い 記念日",
    ),
    "explained": Tag(
        "explaining",
        1.25,
        "photosynthesis vaccine vaccines blockchain gravity electricity evolution Photosynthese "
        "Impfung Impfstoff Schwerkraft Kreislauf Zyklus fotosíntesis vacuna vacunas gravedad ciclo "
        "photosynthèse vaccin vaccins gravité cycle fotosintesi vaccino vaccini gravità fotossíntese "
        "vacina vacinas gravidade algorithm Algorithmus algoritmo algorithme inflation Inflation "
        "광합성 백신 블록체인 중력 순환 원리 세포 光合作用 疫苗 区块链 重力 循环 原理 细胞 "
        "光合成 ワクチン ブロックチェーン 循環 仕組み しくみ 細胞",
    ),
    "ghost": Tag(
        "mystery",
        1.3,
        "ghost ghosts haunted vampire murder detective Gespenst Gespenster Geistergeschichte Spuk "
        "Krimi Mord Detektiv fantasma fantasmas vampiro asesinato detective fantôme fantômes meurtre "
        "enquête omicidio delitto assassinato detetive 유령 귀신 살인 탐정 幽灵 鬼故事 侦探 谋杀 "
        "幽霊 お化け 怪談 殺人 探偵",
    ),
    "pottery": Tag("craft", 1.1),
    "wood": Tag(
        "craft",
        1.1,
        "carpenter woodwork joiner Tischler Schreiner carpintero menuisier falegname 목공 木工",
    ),
    "metal": Tag(
        "craft", 1.1, "blacksmith forge Schmied herrero forgeron fabbro ferreiro 대장간 铁匠 鍛冶"
    ),
    "craft": Tag(
        "craft",
        1.0,
        "handmade craft craftsman artisan workshop Handwerk handgemacht Werkstatt artesano artesanía "
        "taller artisan artisanal atelier artigiano bottega artesanato oficina 수공예 장인 공방 手工 "
        "手工艺 工匠 手作り 職人 工房",
    ),
    "bread": Tag("food", 1.05),
    "coffee": Tag("food", 1.05),
    "food": Tag(
        "food",
        1.0,
        "food cooking kitchen recipe restaurant tea cheese chocolate wine soup breakfast Essen Kochen "
        "Küche Rezept Tee Käse Schokolade Wein Suppe comida cocina té queso cuisine thé fromage vin "
        "cucina cibo tè formaggio vino comida cozinha chá queijo 음식 요리 녹차 차 부엌 美食 烹饪 茶 绿茶 "
        "料理 食べ物 お茶",
    ),
    "lighthouse": Tag("sea", 1.2),
    "boat": Tag(
        "sea",
        1.0,
        "boat ship sailor fishing Boot Schiff Segler barco velero bateau voilier barca nave "
        "navio 배 선박 船 帆船 舟",
    ),
    "sea": Tag("sea"),
    "harbour": Tag(
        "harbour",
        1.15,
        "docks shipyard freighter Speicherstadt Landungsbrücken Werft Frachter Containerschiff astillero "
        "buque entrepôts nave_portacontainer cargueiro 화물선 조선소 货轮 造船厂 貨物船 造船所",
    ),
    "mountain": Tag(
        "nature",
        1.0,
        "mountain mountains Berg Berge Gebirge Alpen montaña montagne montagna montanha 산 山 山脉",
    ),
    "forest": Tag(
        "nature",
        1.0,
        "forest woods Wald Wälder bosque selva forêt foresta bosco floresta 숲 森林 森",
    ),
    "river": Tag("nature", 1.0, "river stream Fluss Bach río rivière fiume rio 강 河流 河 川"),
    "desert": Tag("nature", 1.0, "desert dunes Wüste desierto désert deserto 사막 沙漠 砂漠"),
    "nature": Tag(
        "nature",
        0.8,
        "nature landscape wilderness valley lake Natur Landschaft Wildnis Tal naturaleza paisaje nature "
        "paysage natura paesaggio natureza paisagem 자연 풍경 自然 风景 風景",
    ),
    "tree": Tag("garden", 1.0, "tree trees Baum Bäume árbol arbre albero árvore 나무 树 木"),
    "flower": Tag(
        "garden",
        1.0,
        "flower flowers rose roses Blume Blumen flor flores fleur fleurs fiore fiori 꽃 花",
    ),
    "garden": Tag(
        "garden",
        1.0,
        "garden gardener plants greenhouse Garten Gärtner Pflanzen jardín jardin giardino "
        "jardim 정원 식물 花园 植物 庭",
    ),
    "building": Tag(
        "city",
        1.0,
        "architecture building skyscraper tower Architektur Gebäude Hochhaus edificio "
        "arquitectura bâtiment architettura edifício 건축 건물 建筑 建築",
    ),
    "bridge": Tag("city", 1.1, "bridge bridges Brücke Brücken puente pont ponte 다리 桥 橋"),
    "market": Tag("city", 1.0, "market Markt Marktplatz mercado marché mercato 시장 市场 市場"),
    "city": Tag(
        "city",
        1.0,
        "city town street metropolis subway Stadt Straße Großstadt ciudad calle ville rue città strada "
        "cidade rua 도시 거리 城市 街道 都市 街",
    ),
    "castle": Tag(
        "history",
        1.1,
        "castle fortress Burg Schloss castillo château castello castelo 성 城堡 お城",
    ),
    "war": Tag("history", 1.0, "war Krieg guerra guerre 전쟁 战争 戦争"),
    "history": Tag(
        "history",
        0.9,
        "history historical ancient medieval century museum Geschichte historisch Antike Mittelalter "
        "Jahrhundert historia antiguo histoire ancien storia antico história antigo 역사 고대 历史 古代 歴史",
    ),
    "cat": Tag(
        "animals",
        1.1,
        "cat cats kitten Katze Katzen Kater gato gatos chat chats gatto gatti 고양이 猫",
    ),
    "dog": Tag(
        "animals", 1.1, "dog dogs puppy Hund Hunde perro chien cane cachorro 강아지 개 狗 犬"
    ),
    "bird": Tag(
        "animals",
        1.1,
        "bird birds owl eagle Vogel Vögel Eule Adler pájaro pájaros oiseau oiseaux uccello "
        "pássaro 새 鸟 鳥",
    ),
    "horse": Tag(
        "animals", 1.1, "horse horses Pferd Pferde caballo cheval cavallo cavalo 말 马 馬"
    ),
    "fish": Tag(
        "animals",
        1.0,
        "fish whale dolphin Fisch Fische Wal pez ballena poisson pesce peixe 물고기 鱼 魚",
    ),
    "animal": Tag(
        "animals",
        1.0,
        "animal animals wildlife fox bear wolf bee bees Tier Tiere Fuchs Bär Wolf Biene Bienen animales "
        "zorro animaux renard animali volpe animais raposa 동물 여우 곰 动物 狐狸 熊 動物 狐",
    ),
    "child": Tag(
        "people",
        1.0,
        "child children kids Kind Kinder niño niños enfant enfants bambino criança 아이 孩子 子供",
    ),
    "family": Tag(
        "people",
        1.0,
        "family grandmother grandfather mother father Familie Großmutter Großvater Oma "
        "familia abuela famille grand-mère famiglia nonna família avó 가족 할머니 家庭 奶奶 家族 祖母",
    ),
    "love": Tag(
        "people",
        1.0,
        "love wedding Liebe Hochzeit amor boda amour mariage amore 사랑 결혼식 爱情 婚礼 恋",
    ),
    "people": Tag(
        "people",
        0.9,
        "people friends friendship community neighbours team Menschen Freunde Freundschaft Nachbarn "
        "gente amigos amistad amis amitié amici amizade 사람들 친구 우정 人们 朋友 友谊 友達",
    ),
    "moon": Tag("space", 1.0, "moon Mond luna lune lua 달 月亮 月"),
    "rocket": Tag(
        "space",
        1.1,
        "rocket astronaut Rakete Astronaut cohete fusée razzo foguete 로켓 火箭 ロケット",
    ),
    "space": Tag(
        "space",
        1.0,
        "space universe galaxy planet planets stars astronomy Weltall Weltraum Universum Galaxie Planet "
        "Planeten Sterne espacio universo galaxia estrellas espace univers étoiles spazio stelle espaço "
        "estrelas 우주 행성 별 宇宙 太空 行星 星星 星",
    ),
    "clock": Tag(
        "technology",
        1.0,
        "clock watch watchmaker Uhr Uhren Uhrmacher reloj montre horloge orologio relógio 시계 钟表 時計",
    ),
    "ai": Tag(
        "technology",
        1.0,
        "artificial_intelligence algorithm software künstliche_Intelligenz inteligencia_artificial 인공지능 人工智能 人工知能",
    ),
    "robot": Tag("technology", 1.1, "robot robots Roboter 로봇 机器人 ロボット"),
    "factory": Tag("technology", 1.0, "factory Fabrik fábrica usine fabbrica 공장 工厂 工場"),
    "engine": Tag(
        "technology",
        1.0,
        "engine motor machine machines Maschine Maschinen Motor máquina macchina 기계 엔진 机器 機械",
    ),
    "technology": Tag(
        "technology",
        0.9,
        "technology computer electricity energy quantum Technik Technologie Computer Strom Energie "
        "tecnología ordenador technologie ordinateur tecnologia 기술 컴퓨터 技术 电脑 科技 技術",
    ),
}
