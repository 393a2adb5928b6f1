"""What the rehearsal model can say in German."""
# ruff: noqa: E501, RUF001

NAMES = """
pottery Töpferscheibe|Keramik|töpfer*,keramik*,ton,tongefäß*
woodwork Werkbank mit Holzspänen|Holzhandwerk|holz*,tischler*,schreiner*,möbel*,schnitz*
weaving Webstuhl|Weberei|web*,strick*,textil*,stoff*,näh*,schneider*
hands Hände bei der Arbeit
workshop Werkstatt|Handwerk|werkstatt*,werkstätt*,handwerk*,handgemacht*,manufaktur*
tools Werkzeuge an der Wand
candle Kerze|Kerzen|kerze*
forest Wald|Wälder|wald*,wälder*,dschungel*
leaves Blätter|Blätter|blatt,blätter*,laub*
mountains Berge|Berge|berg,berge,bergen,gebirge*,alpen,gipfel*,wander*
river Fluss|Flüsse|fluss*,flüsse*,bach,bäche
lake See|Seen|see,seen,bergsee*
garden Garten|Gärten|garten*,gärten*,gärtner*,pflanze*
flowers Blumen|Blumen|blume*,rose,rosen,tulpe*,blüte*
tree Baum|Bäume|baum*,bäume*,eiche,eichen
meadow Wiese
waterfall Wasserfall|Wasserfälle|wasserfall*,wasserfälle*
desert Dünen|die Wüste|wüste*,düne*
sun Sonne über dem Horizont|die Sonne|sonne*,morgengrauen
moon Mond|der Mond|mond*
clouds Wolken|Wolken|wolke*,himmel*
path Pfad durchs Gras
nature weites Tal|Natur|natur*,landschaft*,wildnis*
sea offenes Meer|das Meer|meer*,ozean*,küste*,nordsee*,ostsee*
waves Wellen|Wellen|welle*,brandung*,surf*,gezeiten*
beach Strand|der Strand|strand*,strände*
lighthouse Leuchtturm|Leuchttürme|leuchtt*
ship Schiff|Schiffe|schiff*,boot*,segel*
island Insel|Inseln|insel*
harbor Hafen|Häfen|hafen*,häfen*,fischer*
fish Fische unter Wasser|Fische|fisch*,koralle*,unterwasser*
city Skyline|die Stadt|stadt*,städt*,großstadt*,skyline*
street Straße|Straßen|straße*,strasse*,gasse*
bridge Brücke|Brücken|brücke*
house Haus|Häuser|haus*,häuser*,architekt*,gebäude*,zuhause
train Zug|Züge|zug,züge,zügen,eisenbahn*,bahn*,u-bahn*
market Marktstand|Märkte|markt*,märkte*,wochenmarkt*
window Licht in einem Fenster
nightlights Lichter der Nacht|die Nacht|nacht*,nächte*,neon*
coffee dampfende Tasse Kaffee|Kaffee|kaffee*,café*,cafe*,espresso*,barista*
bread frisches Brot|Brot|brot*,bäcker*,bäckerei*,back*,kuchen*
tea Teekanne|Tee|tee,tees,teehaus*,teezeremonie*
kitchen Pfanne auf dem Herd|Kochen|küche*,koch*,köch*,restaurant*,essen,gericht*,rezept*,suppe*,nudel*
wine Glas Wein|Wein|wein*,winzer*
chocolate Schokolade|Schokolade|schokolade*
fruit Schale mit Obst|Obst|obst*,apfel*,äpfel*,frucht*,früchte*,gemüse*
table gedeckter Tisch
history alte Fassade|Geschichte|geschichte,historisch*,antike*,jahrhundert*,vergangenheit*,mittelalter*,römer*,römisch*
castle Burg|Burgen|burg,burgen,schloss*,schlösser*,festung*
ruins Ruinen|Ruinen|ruine*,tempel*,pyramide*
map alte Karte|Landkarten|landkarte*,entdecker*,expedition*
book aufgeschlagenes Buch|Bücher|buch*,bücher*,bibliothek*,lesen,dichter*,literatur*,roman
photographs alte Fotografien
museum Museumssaal|Museen|museum*,museen,galerie*,gemälde*,maler*
machine Zahnräder|Maschinen|maschine*,zahnrad*,zahnräder*,motor*,fabrik*,uhrwerk*,industrie*
robot Roboter|Roboter|roboter*
computer Bildschirm mit Code|Computer|computer*,software*,programm*,internet*,digital*,daten*
ai leuchtendes Netz|künstliche Intelligenz|ki,künstliche intelligenz,neuronal*
energy Windräder|saubere Energie|energie*,solar*,windrad*,windräder*,windkraft*,strom,klima*
car Auto|Autos|auto,autos,fahrzeug*
bicycle Fahrrad|Fahrräder|fahrrad*,fahrräder*
plane Flugzeug|Fliegen|flugzeug*,fliegen,pilot*,ballon*
animals Tiere in der Dämmerung|Tiere|tier,tiere,tieren,zoo*,safari*
cat Katze|Katzen|katze*,kätzchen*,kater
dog Hund|Hunde|hund,hunde,hunden,welpe*
bird Vogel|Vögel|vogel*,vögel*,eule*,adler*,möwe*,pinguin*
horse Pferd|Pferde|pferd*,pony*
bee Biene auf einer Blüte|Bienen|biene*,imker*,honig*
whale Wal|Wale|wal,wale,walen,delfin*
elephant Elefant|Elefanten|elefant*
butterfly Schmetterling|Schmetterlinge|schmetterling*
fox Fuchs|Füchse|fuchs*,füchse*,wolf,wölfe*,bär,bären,reh*,hirsch*,tiger*,löwe*
space Galaxie|der Weltraum|weltraum*,weltall*,galaxie*,universum*,kosmos,milchstraße*
planet Planet|Planeten|planet*,mars,saturn,jupiter
stars Sternenhimmel|die Sterne|stern*,astronom*,teleskop*
rocket Rakete|Raketen|rakete*,raumschiff*
astronaut Astronautin|Astronauten|astronaut*
people Menschen im Gespräch|Menschen|mensch*,gemeinschaft*,nachbar*,freiwillig*,team*,freund*,verein*
family Familie am Tisch|Familie|familie*,mutter*,mütter*,vater*,väter*,eltern*,oma,opa,großmutter*,großvater*,großeltern*
children spielende Kinder|Kinder|kind,kinder*,kindheit*,spielzeug*
school Klassenzimmer|Schule|schule*,schüler*,lehrer*,lernen,universität*
village Dorf|Dörfer|dorf*,dörfer*
product Produkt auf schlichtem Sockel|ein gutes Produkt|produkt*,marke*,werbung*,werbe*,startup*,firma,firmen,unternehmen*
shoes Paar Schuhe|Schuhe|schuh*,turnschuh*,stiefel*
watch Armbanduhr|Uhren|uhr,uhren,armbanduhr*,uhrmacher*
perfume Parfümflakon|Parfüm|parfüm*,parfum*,kosmetik*
shop Schaufenster|Läden|laden,läden,geschäft,boutique*
app Telefon mit einer App|Apps|app,apps,smartphone*,handy*
music Schallwellen|Musik|musik*,lied*,melodie*,jazz*,band,bands,chor*,sänger*
guitar Gitarre|die Gitarre|gitarre*
piano Klaviertasten|das Klavier|klavier*,pianist*
violin Geige|die Geige|geige*,cello*,orchester*
concert Bühnenlicht|Konzerte|konzert*,festival*,bühne*
dance Tanzende|Tanz|tanz*,tänz*,ballett*
sport Stadion|Sport|sport*,athlet*,olympi*,wettkampf*,training*,stadion*,tennis*,boxen
running Laufschuhe auf einem Waldweg|Laufen|laufen,läufer*,marathon*,joggen
football Ball im Gras|Fußball|fußball*,fussball*
cycling Rennrad auf der Landstraße|Radfahren|radfahr*,radsport*,rennrad*
climbing Kletterin in der Wand|Klettern|kletter*
swimming Schwimmer auf der Bahn|Schwimmen|schwimm*,taucher*,tauchen
yoga Mensch auf der Yogamatte|Yoga|yoga*,meditation*
autumn Herbstlaub|der Herbst|herbst*,oktober*,november*
winter Winterlandschaft|der Winter|winter*,weihnacht*,advent*
spring erste Blüten|der Frühling|frühling*,frühjahr*
summer Sommerwiese|der Sommer|sommer*
rain Regen auf der Scheibe|der Regen|regen*
snow Schnee|der Schnee|schnee*,eis,frost*
storm Gewitterwolken|Stürme|sturm*,stürme*,gewitter*,wetter*,wind
abstract Formen aus Licht
"""

PHRASES = """
hello = Hallo! Sagen Sie mir, was entstehen soll: ein Bild, eine Plakatserie oder ein kurzer Film mit Sprecherstimme, Musik und Untertiteln.
thanks = Gern geschehen. Sagen Sie Bescheid, wenn etwas geändert oder ergänzt werden soll.
identity = Ich bin das Probemodell: Ich plane und arbeite nach festen Regeln, ohne Sprachmodell und ohne Schlüssel. Die Bilder, Stimmen und Filme, die dabei entstehen, sind echte Dateien.
can = Das kann ich machen: {items}.
can_films = Daraus entstehen ganze Arbeiten: Plakatserien und Filme mit Drehbuch, Einstellungen, Sprecherstimme, Musik und Untertiteln. Texte schreibe ich auf {languages}.
can_ask = Sagen Sie mir in einem Satz, worum es gehen soll und wie lang oder wie viel es werden darf.
price = Das kostet es: {items}.
price_unknown = Mir liegt im Augenblick keine Preisliste vor.
price_note = Bevor etwas entsteht, das Geld kostet, sehen Sie den Betrag und entscheiden selbst.
free = kostenlos
op.image = Bilder und Plakate
op.clip = animierte Einstellungen
op.narration = Sprecherstimme
op.music = Musik
op.captions = Untertitel
op.render = fertige Filme
op.document = Texte und Drehbücher
impossible.physical = Gegenstände kann ich nicht herstellen; was ich mache, sind Dateien.
impossible.print = Drucken kann ich nicht; ich mache nur Dateien.
impossible.send = Ich kann nichts verschicken, bestellen oder veröffentlichen; die Dateien liegen hier zum Herunterladen bereit.
impossible.live = Live arbeiten oder senden kann ich nicht; alles entsteht zuerst und wird dann übergeben.
impossible.3d = 3D-Modelle kann ich noch nicht machen.
impossible.code = Programme oder Webseiten kann ich nicht schreiben.
impossible.other = Das liegt außerhalb dessen, was ich machen kann.
nearest.image = Am nächsten kommt dem ein Bild oder ein Plakat davon. Soll ich?
nearest.film = Am nächsten kommt dem ein kurzer Film darüber. Soll ich?
nearest.poster = Am nächsten kommt dem ein Plakat als Datei, die Sie selbst drucken können. Soll ich?
empty = Was soll entstehen? Zum Beispiel ein Plakat für ein Konzert oder ein Film von 20 Sekunden über eine Bäckerei.
unclear = Ich bin nicht sicher, was Sie möchten. Soll es ein Bild, eine Plakatserie oder ein Film werden, und worum soll es gehen?
no_tasks = Zurzeit ist nichts in Arbeit.
status_line = „{title}“ {status}.
status.active = ist in Arbeit
status.waiting = wartet
status.paused = ist angehalten
status.completed = ist fertig
status.failed = konnte nicht fertig werden
status.stopped = wurde beendet
only_card = Ich kann nichts freigeben, und auch eine Nachricht kann das nicht. Das entscheiden nur Sie selbst, auf der Karte mit dem Preis.
ack.new = Ich entwerfe zuerst einen Plan; Sie sehen ihn mit dem Preis, bevor etwas entsteht.
ack.image = Ich bereite dieses Bild vor.
ack.music = Ich bereite dieses Musikstück vor.
ack.existing = Das gebe ich an „{title}“ weiter.
which = Welche Arbeit meinen Sie?
plan.film = Ein Film von {length} im Format {format}, gesprochen auf {language}, mit {n} Einstellungen. Der Weg führt vom Drehbuch über Standbilder, animierte Einstellungen, Sprecherstimme, Musik und Untertitel zum fertigen Film.
plan.silent = Ein Film von {length} im Format {format} ohne Sprecherstimme, mit {n} Einstellungen und Musik.
plan.posters = Eine Serie von {n} Plakaten im Format {format}: zuerst ein kurzes Konzept, dann die Bilder.
plan.image = Ein Bild im Format {format}.
plan.document = Ein Text auf {language}.
plan.audio = Eine Sprachaufnahme von etwa {length} auf {language}: zuerst der Text, dann die Stimme.
plan.audio_music = Eine Sprachaufnahme von etwa {length} auf {language} mit Musik: zuerst der Text, dann die Stimme.
plan.music = Ein Musikstück von {length}, Stimmung: {mood}.
plan.changed = Geändert wie gewünscht: {changes}.
change.length = Länge {value}
change.format = Format {value}
change.language = Sprache {value}
change.mood = Stimmung {value}
change.count = Anzahl {value}
change.title = Titel „{value}“
change.wish = „{value}“
note.language = In dieser Sprache ({language}) kann ich noch nicht schreiben, deshalb ist der Text englisch.
note.length = Gewünscht waren {asked}; höchstens {given} kann ich auf einmal planen.
note.count = Gewünscht waren {asked}; höchstens {given} kann ich auf einmal planen.
step.script = Drehbuch
step.keyframes = Standbilder
step.shots = Animierte Einstellungen
step.narration = Sprecherstimme
step.music = Musik
step.captions = Untertitel
step.master = Fertiger Film
step.concept = Konzept
step.posters = Plakate
step.image = Bild
step.text = Text
say.plan = Hier ist der Plan. Nichts beginnt, bevor Sie darüber entschieden haben.
say.replan = Hier ist der geänderte Plan. Nichts Neues beginnt, bevor Sie darüber entschieden haben.
say.image = Das Bild ist auf dem Weg zum Generator.
say.submitted = Alles, was bereit war, ist übergeben; sobald Ergebnisse da sind, geht es weiter.
say.more = Der nächste Teil ist übergeben; der Rest folgt.
say.wait_plan = Der Plan wartet auf Ihre Entscheidung.
say.wait = Ich warte auf eine Entscheidung von Ihnen oder auf Ergebnisse.
say.nothing = Im Augenblick gibt es für mich nichts zu tun.
say.failed = Das ist zweimal nicht gelungen: {what}. Sagen Sie mir, ob ich etwas anderes versuchen soll.
say.budget = Das wurde abgelehnt, weil das Budget nicht reicht. Wenn Sie die Grenze erhöhen, mache ich weiter.
say.permission = Das wurde abgelehnt, weil es noch nicht erlaubt ist. Sie können es erlauben.
say.capability = Das wurde abgelehnt, weil es hier nicht gemacht werden kann. Sagen Sie mir, was Sie stattdessen möchten.
say.delivered = Die Arbeit ist übergeben. Sagen Sie Bescheid, wenn etwas anders werden soll.
say.rejected = In Ordnung, ich lasse es so. Sagen Sie mir, was anders werden soll.
say.noted = Verstanden. Freigegeben wird auf der Karte, nicht in einer Nachricht.
say.ask = Worum soll es in der Arbeit gehen?
name.keyframe = Standbild {k}
name.shot = Einstellung {k}
name.narration = Sprechertext {k}
name.poster = Plakat {k}
name.picture = Bild
name.music = Musik
name.captions = Untertitel
name.script = Drehbuch
name.concept = Konzept
name.text = Text
doc.length = Länge
doc.format = Format
doc.language = Sprache
doc.shot = Einstellung
doc.time = Zeit
doc.picture = Bild
doc.narration = Sprechertext
doc.about = Ein kurzer Film über {s}.
doc.about_plain = Ein kurzer Film: {s}.
doc.series = Eine Serie über {s}.
doc.series_plain = Eine Serie: {s}.
poster.motif = Motiv
poster.caption = Zeile
size.wide = Totale
size.medium = Halbtotale
size.close = Nahaufnahme
size.detail = Detail
light.morning = Morgenlicht
light.day = klares Tageslicht
light.golden = tief stehende Sonne
light.dusk = Dämmerung
light.night = Nacht
light.back = Gegenlicht
light.mist = leichter Nebel
light.lamp = Lampenlicht
camera.push_in = Kamera fährt heran
camera.pull_out = Kamera fährt zurück
camera.pan_left = Schwenk nach links
camera.pan_right = Schwenk nach rechts
camera.tilt_up = Schwenk nach oben
camera.tilt_down = Schwenk nach unten
camera.drift = Kamera gleitet
camera.orbit = Kamera kreist
mood.calm = ruhig
mood.warm = warm
mood.cold = kühl
mood.cheerful = heiter
mood.dramatic = dramatisch
mood.mysterious = geheimnisvoll
mood.melancholic = wehmütig
mood.energetic = energisch
mood.elegant = elegant
mood.playful = verspielt
mood.epic = monumental
mood.dark = dunkel
mood.bright = hell
mood.nostalgic = nostalgisch
lang.en = Englisch
lang.de = Deutsch
lang.es = Spanisch
lang.fr = Französisch
lang.it = Italienisch
lang.pt = Portugiesisch
lang.ko = Koreanisch
lang.zh = Chinesisch
lang.ja = Japanisch
and = und
"""

STORIES = """
[subject]
* {S}: aus der Nähe betrachtet.
* Schauen wir genauer hin: {s}.
* Eine Geschichte, ein Thema: {s}.
@ Eine Geschichte über {s}.
@ Hier geht es um {s}.

[craft] Von Hand | In guten Händen
> Bevor etwas Form hat, ist da nur das Material.
> Am Anfang stehen leere Hände.
- Hände wissen, was Worte nie lernen.
- Ein Griff, so oft wiederholt, bis er leicht wird.
- Jedes Werkzeug hat seinen Platz und seinen Grund.
- Hier ein wenig Druck, dort ein wenig Geduld.
- Fehler sind erlaubt, solange man aus ihnen lernt.
- Langsam entsteht etwas, das man brauchen kann.
- Kein Stück gleicht ganz dem anderen.
~ Dann kommt der Moment, der keine Eile verträgt.
~ Ein Atemzug Zweifel, dann eine ruhige Hand.
= Was mit Sorgfalt entsteht, wird lange behalten.
= Von Hand gemacht. Für lange Zeit.

[nature] Hier draußen | Die stillen Stunden
> Das Licht kommt, bevor jemand wach ist.
> Hier draußen hat es niemand eilig.
- Der Wind geht durch die Blätter wie ein langsamer Gedanke.
- Wasser findet seinen Weg, ohne zu fragen.
- Unter dem Moos arbeitet eine zweite Welt.
- Wurzeln halten fest, was der Regen mitnehmen will.
- Ein Zweig biegt sich und bricht nicht.
- In der Ferne werden die Hügel blau.
- Stille hat viele Stimmen.
~ Dann zieht eine Wolke vorbei, und alles sieht anders aus.
~ Ein einziger Sonnenstrahl genügt.
= Nichts ist hier fertig, und nichts fehlt.
= Morgen beginnt alles von vorn.

[sea] Salz und Licht | Wo die Straße endet
> Das Meer beginnt, wo die Straße endet.
> Zuerst ist da nur das Rauschen.
- Welle um Welle, und keine gleicht der anderen.
- Salz auf den Lippen, Wind im Gesicht.
- Die Flut schreibt in den Sand und löscht alles wieder.
- Möwen hängen in der Luft wie an Fäden.
- Ganz draußen zieht der Horizont seine einzige Linie.
- Unter der Oberfläche wird das Licht grün.
- Taue knarren, nasses Holz trocknet in der Sonne.
~ Dann dreht der Wind.
~ Wenn das Wetter kommt, schauen alle nach oben.
= Wer geht, hört es noch lange.
= Das Meer zieht weiter. Die Erinnerung bleibt.

[city] Fenster für Fenster | Stadtstunden
> Die Stadt erwacht, Fenster für Fenster.
> Die ersten Schritte gehören den Frühaufstehern.
- Schritte, Stimmen, Bremsen: die Musik des Morgens.
- Hinter jedem Fenster wohnt eine andere Geschichte.
- Straßen kreuzen sich, und Leben auch.
- Oben Glas, unten Stein, dazwischen Menschen.
- Irgendjemand kommt immer gerade an.
- An der Ecke riecht es nach Kaffee und Regen.
- Am Abend übernehmen die Lichter.
~ Für einen kurzen Moment verstummt der Verkehr.
~ Dann biegt man um die Ecke, und es ist still.
= Tausend Lichter, und eines davon ist zu Hause.
= Die Stadt sagt niemals Gute Nacht.

[food] Guter Geschmack | Bitte Platz nehmen
> Das Beste beginnt, lange bevor der Tisch gedeckt ist.
> Zuerst kommt der Duft.
- Ein paar gute Zutaten und ein wenig Zeit.
- Dampf steigt auf, und der Raum wird warm.
- Guter Geschmack braucht Geduld und ein wachsames Auge.
- Eine Prise mehr, einen Moment länger, dann noch einmal kosten.
- Was einfach aussieht, wurde hundertmal geübt.
- Erst die Farbe, dann das Aroma, dann der Geschmack.
- Niemand schaut hier auf die Uhr.
~ Dann wird es still, weil alle kosten.
~ Ein letzter Handgriff, und es ist so weit.
= Was man teilt, schmeckt besser.
= Kommen Sie herein, und setzen Sie sich.

[history] Was bleibt | Spuren
> Die Vergangenheit ist näher, als sie scheint.
> Alles Alte war einmal neu.
- Steine erinnern sich an das, was Menschen vergessen.
- Briefe, Karten, Namen in verblasster Tinte.
- Jemand stand hier und ahnte nicht, wie es ausgeht.
- Jede Generation hinterließ ihr Zeichen.
- Was damals Alltag war, ist heute ein Schatz.
- Wenige Spuren sind groß. Die meisten sind klein.
- Daten sagen, wann. Gesichter sagen, warum.
~ Dann kam der Tag, der alles veränderte.
~ Was Jahrhunderte stand, war plötzlich ungewiss.
= Die Vergangenheit ist nicht vorbei. Wir tragen sie weiter.
= Wer sich erinnert, hält ein Licht am Brennen.

[technology] Wie es geht | Der nächste Schritt
> Am Anfang steht eine Frage: Geht das nicht besser?
> Jede Maschine beginnt als Idee.
- Erst die Skizze, dann das Modell, dann der erste Versuch.
- Kleine Teile, die genau passen müssen.
- Ein Signal ist schneller als ein Gedanke.
- Was früher Stunden brauchte, dauert heute Sekunden.
- Jeder Test beantwortet eine Frage und stellt zwei neue.
- Genauigkeit ist Geduld, die man messen kann.
- Menschen denken nach, streiten und fangen neu an.
~ Dann läuft es, zum allerersten Mal.
~ Ein Fehler, ein Einfall, und plötzlich geht es.
= Die beste Technik lässt uns mehr Zeit zum Menschsein.
= Der nächste Schritt hat schon begonnen.

[animals] Auge in Auge | Stille Beobachter
> Wer beobachtet hier wen?
> Wer stillhält, darf zusehen.
- Alle Sinne sind wach.
- Ein Blick, und alles ist gesagt.
- Hier gibt es keinen Plan, nur den Augenblick.
- Eine kurze Rast, dann ein plötzlicher Aufbruch.
- Hunger, Spiel und Schlaf bestimmen den Tag.
- Vertrauen wächst langsam und lässt sich nicht erzwingen.
- Selbst die kleinste Bewegung hat eine Bedeutung.
~ Plötzlich steht alles still.
~ Dann ein Geräusch, und nichts regt sich mehr.
= Wer leise zusieht, darf bleiben.
= Am Ende sind wir es, die sich verändert haben.

[space] Die große Stille | Der Blick nach oben
> Schauen wir nach oben: All das ist älter als unsere Worte.
> Über uns beginnt die große Stille.
- Das Licht, das wir sehen, ist lange unterwegs.
- Kein Oben, kein Unten, nur Entfernung.
- Planeten ziehen lautlos ihre Kreise.
- Aus Staub wird ein Stern, aus dem Stern wieder Staub.
- Jeder Lichtpunkt könnte eine Sonne sein.
- Zahlen messen es. Begreifen kann man nur staunend.
- Aus der Ferne verschwinden die Grenzen.
~ Und dann, in all dem Dunkel, ein blauer Punkt.
~ Ein einziges Signal genügt, und die Frage lautet anders.
= Wir haben gerade erst angefangen hinzusehen.
= Dort draußen ist es weit. Zu Hause ist hier.

[people] Eine offene Tür | Miteinander
> Es beginnt mit einer offenen Tür.
> Zuerst sind es nur wenige.
- Jemand stellt Stühle auf. Jemand bringt Brot mit.
- Erst tauscht man Namen aus, dann Geschichten.
- Jeder bringt etwas mit, das den anderen fehlt.
- Viele Hände machen Schweres leicht.
- Die Alten erinnern sich, die Jungen fragen, warum.
- Manchmal gibt es Streit, und danach Gelächter.
- Hilfe kommt oft ungerufen.
~ Dann kommt ein Tag, an dem alle gebraucht werden.
~ Es gibt Abende, an denen niemand die Stunden zählt.
= Irgendwo unterwegs wurde aus dem Ich ein Wir.
= Allein kommt niemand weit.

[product] Einfach gut gemacht | Jedes Detail
> Manche Ideen sind erst im Nachhinein selbstverständlich.
> Eine gute Idee braucht wenige Worte.
- Jede Linie hat einen Grund.
- Nichts zu viel, nichts zu wenig.
- Die Oberfläche lädt die Hand ein.
- Details, nach denen niemand fragt und die jeder bemerkt.
- Gemacht für jeden Tag, nicht fürs Schaufenster.
- Versprechen ist leicht. Halten ist die Kunst.
- Die Form folgt unserem Alltag.
~ Dann kommt die erste Berührung.
~ Der Unterschied zeigt sich im Gebrauch.
= Einfach. Gut gemacht. Für Sie.
= Gute Dinge sprechen für sich.

[music] Nach der Stille | Der erste Ton
> Vor dem ersten Ton ist Stille.
> Ein Atemzug, und der Raum hört zu.
- Etwas zittert, und die Luft antwortet.
- Rhythmus ist ein Herzschlag, den andere hören.
- Jede Pause gehört zur Melodie.
- Üben, hören, neu beginnen.
- Manche Klänge sind hell, andere tragen einen Schatten.
- Was sich nicht sagen lässt, lässt sich spielen.
- Ein paar Takte später bewegen sich die Füße.
~ Dann treffen sich alle Stimmen in einem Akkord.
~ Einen Takt lang steht die Zeit still.
= Der letzte Ton verklingt. Das Gefühl bleibt.
= Still jetzt. Es klingt noch nach.

[sport] Noch einmal | Der erste Schritt
> Vor dem Start gibt es nur den eigenen Atem.
> Alles beginnt im Kopf.
- Der erste Schritt kostet am meisten.
- Herz, Lunge, Muskeln: Alles findet einen Takt.
- Kraft entsteht an Morgen, die niemand sieht.
- Wer fällt, steht auf und versucht es noch einmal.
- Eine Sekunde kann sehr lang sein.
- Der Körper lernt, was der Wille wiederholt.
- Ganz allein gewinnt niemand.
~ Dann kommt der Punkt, an dem alles Halt ruft.
~ Jetzt entscheidet es sich.
= Es ging nie nur ums Gewinnen.
= Und morgen noch einmal von vorn.

[seasons] Das Jahr dreht sich | Etwas liegt in der Luft
> Man riecht es, bevor man es sieht.
> Eines Morgens ist die Luft anders.
- Das Licht hat eine neue Farbe angenommen.
- Tropfen sammeln sich am Fenster und laufen los.
- Der Wind rüttelt an jeder Tür.
- Bäume gehen genauer als jede Uhr.
- Kinder merken es zuerst.
- Farben kommen, Farben gehen.
- Die Vögel wissen es seit Tagen.
~ Über Nacht ist alles anders geworden.
~ Dann reißt der Himmel auf.
= Nichts bleibt, und alles kehrt wieder.
= Das Jahr dreht sich, und wir drehen uns mit.

[generic] Genauer hingesehen | Auf den ersten Blick
> Beginnen wir mit dem, was man leicht übersieht.
> Auf den ersten Blick gibt es wenig zu sehen.
> Jede Geschichte hat einen ersten Moment.
- Wer länger hinsieht, dem erzählen die Einzelheiten etwas.
- Was einfach wirkt, hat oft einen langen Weg hinter sich.
- Vieles geschieht ohne ein Geräusch.
- Aus der Nähe sieht die Welt anders aus.
- Irgendwann hat jemand den ersten Schritt gewagt.
- Manche Fragen beantwortet nur die Zeit.
- Stück für Stück entsteht ein Bild.
- Licht und Schatten erzählen dasselbe auf zwei Arten.
- Eine kleine Änderung kann viel bewegen.
- Es lohnt sich, einmal woanders zu stehen.
- Zufall ist hier nur wenig.
- Das Wichtigste geschieht selten in der Mitte.
- Zwischen Anfang und Ende liegt die eigentliche Arbeit.
- Ein einziges Detail kann das Ganze enthalten.
- Geduld zeigt, was die Eile verbirgt.
- Nicht alles muss erklärt werden.
- Jede Antwort öffnet eine weitere Tür.
- Was still wirkt, ist oft in Bewegung.
- Manchmal sagt eine Pause mehr als ein Satz.
- Gestern und morgen stehen nebeneinander.
- Man spürt es, bevor man es versteht.
- Je näher man kommt, desto reicher wird es.
- Und noch immer gibt es etwas zu entdecken.
- Neugier ist immer ein guter Begleiter.
- Manches bemerkt man erst, wenn es fehlt.
- Der Blick wandert und bleibt hängen.
- Ordnung und Zufall wechseln sich ab.
- Es braucht viele, damit etwas mühelos aussieht.
~ Dann wechselt der Blick, und alles fügt sich.
~ Und plötzlich wird klar, worauf es ankommt.
~ Nun zeigt sich die andere Seite.
= Was bleibt, ist ein Bild, das nachwirkt.
= Den Rest entdecken Sie selbst.
= Und das ist erst der Anfang.
"""
