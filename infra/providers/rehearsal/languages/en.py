"""What the rehearsal model can say in English."""
# ruff: noqa: E501, RUF001

NAMES = """
pottery pottery wheel|pottery|potter*,ceramic*,clay
woodwork workbench with wood shavings|woodwork|woodwork*,carpent*,wood,wooden,furniture
weaving loom|weaving|weav*,loom*,knit*,textile*,fabric*,sewing,tailor*
hands hands at work
workshop workshop|workshops|workshop*,craft*,handmade,artisan*,atelier*
tools tools on the wall
candle candle|candles|candle*
forest forest|forests|forest*,woods,jungle*,rainforest*
leaves leaves|leaves|leaf,leaves
mountains mountains|mountains|mountain*,alps,hike,hiking,hiker*,peak*,summit*
river river|rivers|river*,stream,creek*
lake lake|lakes|lake,lakes
garden garden|gardens|garden*,plant,plants
flowers flowers|flowers|flower*,rose,roses,tulip*,blossom*,bloom*
tree tree|trees|tree,trees,oak,oaks
meadow meadow
waterfall waterfall|waterfalls|waterfall*
desert dunes|the desert|desert*,dune*
sun sun over the horizon|the sun|sunrise*,sunset*,sun,dawn
moon moon|the moon|moon,moonlight
clouds clouds|clouds|cloud,clouds,sky
path path through the grass
nature wide valley|nature|nature,landscape*,wilderness,outdoors
sea open sea|the sea|sea,seas,ocean*,coast*,seaside
waves waves|waves|wave,waves,surf,surfing,tide,tides
beach beach|the beach|beach*,shore*
lighthouse lighthouse|lighthouses|lighthouse*
ship ship|ships|ship,ships,boat*,sailing,sailboat*,sailor*
island island|islands|island*
harbor harbor|harbors|harbor*,harbour*,fisherman,fishermen,fishing
fish fish under water|fish|fish,coral*,reef*,underwater
city skyline|the city|city,cities,skyline*,urban,metropolis,downtown
street street|streets|street*,alley*,road,roads
bridge bridge|bridges|bridge*
house house|houses|house,houses,home,homes,building*,architecture,architect*
train train|trains|train,trains,railway*,railroad*,subway
market market stall|markets|market,markets
window light in a window
nightlights lights of the night|the night|night,nights,neon
coffee steaming cup of coffee|coffee|coffee,espresso,cafe,café,barista*,cappuccino
bread fresh bread|bread|bread,baker*,bakeries,baking,pastry,pastries,sourdough,cake,cakes
tea teapot|tea|tea,teas,teahouse*
kitchen pan on the stove|cooking|kitchen*,cook,cooking,chef*,recipe*,restaurant*,food,meal*,dish,dishes,cuisine,soup,pasta,noodle*,pizza
wine glass of wine|wine|wine*,vineyard*
chocolate chocolate|chocolate|chocolate*
fruit bowl of fruit|fruit|fruit*,apple,apples,orchard*,vegetable*,lemon*
table laid table
history old facade|history|history,historical,historic,ancient,century,centuries,past,roman,medieval,heritage
castle castle|castles|castle*,fortress*,palace*
ruins ruins|ruins|ruin,ruins,temple*,pyramid*
map old map|maps|map,maps,explorer*,expedition*
book open book|books|book,books,library,libraries,reading,writer*,poet*,novel*,literature,bookshop*,bookstore*
photographs old photographs
museum museum hall|museums|museum*,gallery,galleries,painting*,painter*
machine gears|machines|machine*,gear,gears,engine*,factory,factories,clockwork,industr*,mechanic*
robot robot|robots|robot*,android*
computer screen with code|computers|computer*,software,program*,developer*,coding,internet,digital,data,cyber*
ai glowing network|artificial intelligence|ai,neural,artificial
energy wind turbines|clean energy|energy,solar,turbine*,electricity,climate
car car|cars|car,cars,driving,automobile*
bicycle bicycle|bicycles|bicycle*,bike*
plane airplane|flying|airplane*,aircraft,flight,flying,pilot*,balloon*
animals animals at dusk|animals|animal*,wildlife,zoo,safari
cat cat|cats|cat,cats,kitten*
dog dog|dogs|dog,dogs,puppy,puppies
bird bird|birds|bird*,owl*,eagle*,seagull*,penguin*
horse horse|horses|horse*,pony,ponies
bee bee on a flower|bees|bee,bees,beekeep*,honey,hive*
whale whale|whales|whale*,dolphin*
elephant elephant|elephants|elephant*
butterfly butterfly|butterflies|butterfl*
fox fox|foxes|fox,foxes,wolf,wolves,bear,bears,deer,tiger*,lion*
space galaxy|space|space,galax*,universe,cosmos,cosmic,milky
planet planet|planets|planet*,mars,saturn,jupiter
stars starry sky|the stars|star,stars,starry,astronom*,telescope*
rocket rocket|rockets|rocket*,spaceship*,spacecraft
astronaut astronaut|astronauts|astronaut*
people people in conversation|people|people,community,communities,neighbor*,neighbour*,volunteer*,team,teams,friend*,together
family family at the table|family|family,families,mother*,father*,parent*,grandmother*,grandfather*,grandparent*,grandma,grandpa
children playing children|children|child,children,kid,kids,childhood,toy,toys
school classroom|school|school*,student*,teacher*,learn*,university
village village|villages|village*,town,towns
product product on a plain base|a good product|product*,brand*,advert*,commercial,startup*,launch*,company,companies,business
shoes pair of shoes|shoes|shoe*,sneaker*,boot,boots
watch wristwatch|watches|watch,watches,watchmak*,clock*
perfume perfume bottle|perfume|perfume*,fragrance*,cosmetic*
shop shop window|shops|shop,shops,store,stores,boutique*
app phone with an app|apps|app,apps,smartphone*,phone,phones
music sound waves|music|music*,song*,melod*,soundtrack*,jazz,band,bands,singer*,choir*
guitar guitar|the guitar|guitar*
piano piano keys|the piano|piano*,pianist*
violin violin|the violin|violin*,cello*,orchestra*
concert stage lights|concerts|concert*,festival*,stage
dance dancers|dance|dance*,dancing,ballet*,tango
sport stadium|sport|sport*,athlet*,olympic*,competition*,training,stadium*,basketball,tennis,boxing
running running shoes on a trail|running|running,runner*,marathon*,jogging
football ball on the grass|football|football*,soccer
cycling racing bicycle on a road|cycling|cycling,cyclist*
climbing climber on a rock face|climbing|climb*
swimming swimmer in a lane|swimming|swim,swimming,swimmer*,diver*,diving
yoga person on a yoga mat|yoga|yoga,meditat*
autumn autumn leaves|autumn|autumn*,fall foliage,october,november
winter winter landscape|winter|winter*,christmas,january,december
spring first blossoms|spring|spring,springtime,april
summer summer meadow|summer|summer*,july,august
rain rain on glass|rain|rain,rainy,raindrop*
snow snow|snow|snow,snowy,snowfall,ice,frost
storm storm clouds|storms|storm*,thunder*,lightning,wind,weather
abstract forms of light
"""

PHRASES = """
hello = Hello! Tell me what you would like to see or hear: a picture, a series of posters, or a short film with narration, music and captions.
thanks = You are welcome. Tell me whenever something should be changed or added.
identity = I am the rehearsal model: I plan and work by fixed rules, without a language model and without a key. The pictures, voices and films I make are real files.
can = I can make: {items}.
can_films = From these I put together whole works: poster series, and films with script, shots, narration, music and captions. I can write narration in {languages}.
can_ask = Tell me in a sentence what it should be about, and how long or how many.
price = What it costs: {items}.
price_unknown = I have no price list in front of me at the moment.
price_note = Before anything that costs money is made you see the amount, and you decide.
free = free
op.image = pictures and posters
op.clip = animated shots
op.narration = narration
op.music = music
op.captions = captions
op.render = finished films
op.document = texts and scripts
impossible.physical = I cannot make physical things; what I make are files.
impossible.print = I cannot print anything; I only make files.
impossible.send = I cannot send, order or publish anything; the files stay here for you to download.
impossible.live = I cannot work live or broadcast; everything is made first and then handed over.
impossible.3d = I cannot make 3D models yet.
impossible.code = I cannot write programs or websites.
impossible.other = That is outside what I can make.
nearest.image = The nearest thing I can make is a picture or a poster of it. Shall I?
nearest.film = The nearest thing I can make is a short film about it. Shall I?
nearest.poster = The nearest thing I can make is a poster as a file that you can print yourself. Shall I?
empty = What would you like to make? For example a poster for a concert, or a 20-second film about a bakery.
unclear = I am not sure what you would like. Shall it be a picture, a series of posters or a film, and what should it be about?
no_tasks = Nothing is being made right now.
status_line = “{title}” {status}.
status.active = is being worked on
status.waiting = is waiting
status.paused = is paused
status.completed = is finished
status.failed = could not be finished
status.stopped = was stopped
only_card = I cannot approve anything, and nothing written in a message can change that. Only you decide, on the card that shows the price.
ack.new = I will draw up a plan first; you see it with its price before anything is made.
ack.image = I will prepare this picture.
ack.music = I will prepare this piece of music.
ack.existing = I will take this to “{title}”.
which = Which work do you mean?
plan.film = A film of {length} in {format}, narrated in {language}, in {n} shots. It goes from the script through keyframes, animated shots, narration, music and captions to the finished film.
plan.silent = A film of {length} in {format} without narration, in {n} shots, with music.
plan.posters = A series of {n} posters in {format}: first a short concept, then the pictures.
plan.image = One picture in {format}.
plan.document = A text in {language}.
plan.audio = A narration of about {length} in {language}: first the text, then the voice.
plan.audio_music = A narration of about {length} in {language} with a piece of music: first the text, then the voice.
plan.music = A piece of music of {length}, mood: {mood}.
plan.changed = Changed as you asked: {changes}.
change.length = length {value}
change.format = format {value}
change.language = language {value}
change.mood = mood {value}
change.count = number {value}
change.title = title “{value}”
change.wish = “{value}”
note.language = I cannot write in that language yet ({language}), so the text is in English.
note.length = You asked for {asked}; I can plan at most {given} at once.
note.count = You asked for {asked}; I can plan at most {given} at once.
step.script = Script
step.keyframes = Keyframes
step.shots = Animated shots
step.narration = Narration
step.music = Music
step.captions = Captions
step.master = Finished film
step.concept = Concept
step.posters = Posters
step.image = Picture
step.text = Text
say.plan = Here is the plan. Nothing starts before you decide on it.
say.replan = Here is the changed plan. Nothing new starts before you decide on it.
say.image = The picture is on its way to the generator.
say.submitted = Everything that was ready has been handed over; I go on as soon as results arrive.
say.more = The next part has been handed over; the rest follows.
say.wait_plan = The plan is waiting for your decision.
say.wait = I am waiting for a decision of yours or for results.
say.nothing = There is nothing to do for me right now.
say.failed = This did not work twice: {what}. Tell me whether I should try something else.
say.budget = That was refused because the budget does not cover it. If you raise the limit, I go on.
say.permission = That was refused because it is not allowed yet. You can allow it.
say.capability = That was refused because it cannot be made here. Tell me what you would like instead.
say.delivered = The work has been handed over. Tell me if you want something changed.
say.rejected = All right, I leave it as it is. Tell me what should be different.
say.noted = Noted. Approval is given on the card, not in a message.
say.ask = What should the work be about?
name.keyframe = Keyframe {k}
name.shot = Shot {k}
name.narration = Narration {k}
name.poster = Poster {k}
name.picture = Picture
name.music = Music
name.captions = Captions
name.script = Script
name.concept = Concept
name.text = Text
doc.length = Length
doc.format = Format
doc.language = Language
doc.shot = Shot
doc.time = Time
doc.picture = Picture
doc.narration = Narration
doc.about = A short film about {s}.
doc.about_plain = A short film: {s}.
doc.series = A series about {s}.
doc.series_plain = A series: {s}.
poster.motif = Motif
poster.caption = Line
size.wide = Wide shot
size.medium = Medium shot
size.close = Close-up
size.detail = Detail
light.morning = morning light
light.day = clear daylight
light.golden = low golden sun
light.dusk = dusk
light.night = night
light.back = light from behind
light.mist = thin mist
light.lamp = lamplight
camera.push_in = camera moves in
camera.pull_out = camera moves back
camera.pan_left = pan to the left
camera.pan_right = pan to the right
camera.tilt_up = tilt up
camera.tilt_down = tilt down
camera.drift = camera drifts
camera.orbit = camera circles
mood.calm = calm
mood.warm = warm
mood.cold = cool
mood.cheerful = cheerful
mood.dramatic = dramatic
mood.mysterious = mysterious
mood.melancholic = wistful
mood.energetic = energetic
mood.elegant = elegant
mood.playful = playful
mood.epic = grand
mood.dark = dark
mood.bright = bright
mood.nostalgic = nostalgic
lang.en = English
lang.de = German
lang.es = Spanish
lang.fr = French
lang.it = Italian
lang.pt = Portuguese
lang.ko = Korean
lang.zh = Chinese
lang.ja = Japanese
and = and
"""

STORIES = """
[subject]
* This is a story about {s}.
* {S}: a closer look.
* Let us take a closer look at {s}.
* There is more to {s} than meets the eye.

[craft] Made by Hand | Slow Work
> Before there is a shape, there is only the material.
> It starts with empty hands.
- Hands know things that words never learn.
- One movement, repeated until it becomes easy.
- Every tool has its place and its purpose.
- A little pressure here, a little patience there.
- Mistakes are allowed, as long as they teach something.
- Slowly, something useful appears.
- No two pieces will ever be quite the same.
~ Then comes the moment that cannot be rushed.
~ One breath of doubt, then a steady hand.
= What is made with care will be kept with care.
= Made by hand. Made to last.

[nature] Out Here | The Quiet Hours
> The light arrives before anyone is awake to see it.
> Out here, nobody is in a hurry.
- The wind moves through the leaves like a slow thought.
- Water finds its way without asking.
- Under the moss, a second world is at work.
- Roots hold on to what the rain would take.
- A branch bends and does not break.
- Far away, the hills are turning blue.
- Silence has many voices.
~ Then a cloud passes, and everything looks different.
~ A single ray of sun is enough.
= Nothing here is finished, and nothing is missing.
= Tomorrow it all begins again.

[sea] Salt and Light | Where the Road Ends
> The sea begins where the road ends.
> First there is only the sound.
- Wave after wave, and never the same one twice.
- Salt on the lips, wind in the face.
- The tide writes on the sand and wipes it clean.
- Gulls hang in the air as if on strings.
- Out there, the horizon draws its only line.
- Below the surface, the light turns green.
- Ropes creak, and wet wood dries in the sun.
~ Then the wind turns.
~ When the weather comes, everyone looks up.
= Whoever leaves will hear it for a long time.
= The sea keeps moving. The memory stays.

[city] One Window at a Time | City Hours
> The city wakes up one window at a time.
> The first steps belong to the early ones.
- Footsteps, voices, brakes: the music of the morning.
- Behind every window there is another story.
- Streets cross, and so do lives.
- Glass above, stone below, and people in between.
- Somebody is always arriving.
- The corner smells of coffee and rain.
- In the evening, the lights take over.
~ For one short moment, the traffic falls silent.
~ Then you turn a corner, and it is quiet.
= Thousands of lights, and one of them is home.
= The city never says good night.

[food] A Matter of Taste | Come and Sit Down
> The best moments begin long before the table is set.
> First comes the scent.
- A few good ingredients and a little time.
- Steam rises, and the room grows warm.
- Good taste needs patience and a watchful eye.
- A pinch more, a moment longer, then taste again.
- What looks simple has been practiced a hundred times.
- First the color, then the aroma, and only then the flavor.
- Nobody here looks at the clock.
~ Then there is silence, because everyone is tasting.
~ One last touch, and it is ready.
= What is shared tastes better.
= Come in and sit down.

[history] What Remains | Traces
> The past is closer than it seems.
> Everything old was once new.
- Stones remember what people forget.
- Letters, maps, and names in faded ink.
- Somebody stood here and did not know how it would end.
- Every generation left its mark.
- What was everyday life then is a treasure today.
- A few traces are large. Most of them are small.
- Dates tell us when. Faces tell us why.
~ Then came the day that changed everything.
~ What had stood for centuries was suddenly uncertain.
= The past is not over. We carry it on.
= To remember is to keep a light burning.

[technology] How It Works | The Next Step
> It starts with a question: could this be done better?
> Every machine begins as an idea.
- First a sketch, then a model, then the first attempt.
- Small parts that have to fit exactly.
- A signal travels faster than a thought.
- What used to take hours now takes seconds.
- Each test answers one question and asks two more.
- Precision is patience that can be measured.
- People think, argue, and try again.
~ Then it runs, for the very first time.
~ One error, one idea, and suddenly it works.
= The best technology leaves us more time to be human.
= The next step has already begun.

[animals] Eye to Eye | Quiet Watchers
> Who is watching whom?
> Keep still, and you may be allowed to watch.
- All senses are awake.
- One glance, and everything has been said.
- There is no plan here, only the moment.
- A short rest, then a sudden start.
- Hunger, play, and sleep set the hours of the day.
- Trust grows slowly and is never owed.
- Even the smallest movement has a meaning.
~ Suddenly, everything stands still.
~ Then a sound, and nothing moves.
= Whoever watches quietly is allowed to stay.
= In the end, it is we who have changed.

[space] The Great Silence | Looking Up
> Look up: all of it is older than our words.
> Above us begins the great silence.
- The light we see set out long ago.
- No up, no down, only distance.
- Planets draw their circles without a sound.
- Dust becomes a star, and a star becomes dust.
- Every point of light could be a sun.
- Numbers measure it. Only wonder can bear it.
- From far away, borders disappear.
~ And then, in all that darkness, a blue dot.
~ A single signal is enough to change the question.
= We have only just begun to look.
= Out there is far. Home is here.

[people] An Open Door | Together
> It begins with an open door.
> At first there are only a few.
- Someone sets up chairs. Someone brings bread.
- Names are exchanged, then stories.
- Everyone brings something that the others lack.
- Many hands make heavy things light.
- The old ones remember, the young ones ask why.
- Sometimes there is an argument, and afterwards laughter.
- Help often comes without being called.
~ Then comes a day when everyone is needed.
~ There are evenings when nobody counts the hours.
= Somewhere along the way, “I” became “we”.
= Nobody gets far alone.

[product] Simply Well Made | Every Detail
> Some ideas seem obvious only afterwards.
> A good idea needs few words.
- Every line has a reason.
- Nothing too much, nothing too little.
- The surface invites the hand.
- Details nobody asked for, and everyone notices.
- Made for every day, not for the shop window.
- Promises are easy. What counts is keeping them.
- Form follows the way we live.
~ Then comes the first touch.
~ The difference shows in daily use.
= Simple. Well made. Yours.
= Good things speak for themselves.

[music] After the Silence | The First Note
> Before the first note, there is silence.
> One breath, and the room is listening.
- Something trembles, and the air answers.
- Rhythm is a heartbeat that others can hear.
- Every pause belongs to the melody.
- Practice, listen, begin again.
- Some sounds are bright, others carry a shadow.
- What cannot be said can still be played.
- A few bars later, feet begin to move.
~ Then all voices meet in a single chord.
~ For the length of a bar, time stands still.
= The last note fades. The feeling stays.
= Listen. It is still there.

[sport] One More Time | The First Step
> Before the start, there is only your own breath.
> Everything begins in the mind.
- The first step costs the most.
- Heart, lungs, muscles: everything finds one rhythm.
- Strength is made of mornings nobody sees.
- Whoever falls gets up and tries once more.
- A second can be very long.
- The body learns what the will repeats.
- Nobody wins entirely alone.
~ Then comes the point where everything says stop.
~ Now it is decided.
= It was never only about winning.
= And tomorrow, once more from the start.

[seasons] The Year Turns | A Change in the Air
> You can smell it before you can see it.
> One morning, the air is different.
- The light has taken on a new color.
- Drops gather on the glass and begin to run.
- The wind tries every door.
- Trees keep time better than any clock.
- Children notice it first.
- Colors come, colors go.
- The birds have known for days.
~ Overnight, everything has changed.
~ Then the sky opens.
= Nothing stays, and everything returns.
= The year turns, and we turn with it.

[generic] A Closer Look | First Glance
> Let us begin with what is easy to miss.
> At first glance, there is little to see.
> Every story has a first moment.
- Look a little longer, and the details begin to speak.
- What seems simple often has a long way behind it.
- Much of it happens without a sound.
- Up close, the world looks different.
- At some point, someone took the first step.
- There are questions that only time can answer.
- Step by step, a picture emerges.
- Light and shadow tell the same story twice.
- A small change can move a great deal.
- It is worth standing somewhere else for a moment.
- Very little of this is chance.
- The most important things rarely happen in the center.
- The real work lies between the beginning and the end.
- A single detail can hold the whole.
- Patience shows what speed conceals.
- Not everything has to be explained.
- Every answer opens another door.
- What looks still is often moving.
- Sometimes a pause says more than a sentence.
- Yesterday and tomorrow stand side by side.
- You feel it before you understand it.
- The closer you come, the richer it becomes.
- And still there is more to discover.
- Curiosity is always a good guide.
- Some things are only noticed when they are gone.
- The eye wanders, and stays.
- Order and chance take turns.
- It takes many to make something look effortless.
~ Then the view changes, and everything fits together.
~ And suddenly it becomes clear what matters.
~ Now the other side appears.
= What remains is a picture that lingers.
= The rest is for you to discover.
= And this is only the beginning.
"""
