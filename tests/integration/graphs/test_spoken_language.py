"""The language in which a person is answered is theirs, whatever a model or the work's is."""

import pytest

from tests.integration.graphs.stage import Stage, plan, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_targets import begun, stop, the_question

SPOKEN = [
    ("Mach mir ein englisches Poster", "en", "de"),
    ("Make a poster in French about tea please", "fr", "en"),
    ("Fais-moi une affiche en anglais", "en", "fr"),
    ("Haz un póster en inglés sobre el té", "en", "es"),
    ("영어 포스터 만들어 줘", "en", "ko"),
    ("英語のポスターを作って", "en", "ja"),
    ("给我做一张德语海报", "de", "zh"),
]


@pytest.mark.parametrize(("text", "proposed", "spoken"), SPOKEN)
async def test_a_task_has_the_language_of_its_person_and_its_work_the_one_they_asked_for(
    stage: Stage, text: str, proposed: str, spoken: str
) -> None:
    stage.model.route[:] = routed("new", language=proposed)
    stage.model.answers[:] = [plan(1, language=proposed)]
    task_id = await stage.begin(text)
    rows = await stage.machine.rows(
        """
        select t.language, c.format ->> 'language', r.language
        from tasks as t join checklists as c using (task_id)
        join routes as r on r.message_id = t.source_message_id
        where t.task_id = %s
        """,
        task_id,
    )
    assert rows == [(spoken, proposed, spoken)]
    assert stage.model.states[0]["task"]["language"] == spoken
    await stage.check()


@pytest.mark.parametrize(
    ("text", "proposed", "kept"),
    [
        ("ok", "de", "de"),
        ("Gör en film om havet i två minuter", "sv", "sv"),
        ("Mach mir bitte ein großes Poster", "de-AT", "de-AT"),
        ("Mach mir bitte ein großes Poster", "", "de"),
        ("Mach mir bitte ein großes Poster", "<b>Deutsch</b>", "de"),
        ("123", "no tag at all", "en"),
        ("Mach daraus einen Film:\nA keeper spends the winter alone with a cat.", "de", "de"),
    ],
)
async def test_where_the_words_leave_doubt_the_model_says_the_language(
    stage: Stage, text: str, proposed: str, kept: str
) -> None:
    stage.model.route[:] = routed("new", language=proposed)
    stage.model.answers[:] = [plan(1)]
    task_id = await stage.begin(text)
    rows = await stage.machine.rows("select language from tasks where task_id = %s", task_id)
    assert rows == [(kept,)]


async def test_a_question_of_main_is_in_the_language_of_the_words_that_caused_it(
    stage: Stage,
) -> None:
    task_id = await begun(stage)
    await stop(stage, task_id)
    stage.model.route[:] = routed("existing", task_id=str(task_id), language="en")
    message_id = await say(stage, "Mach das Poster auf Englisch ein wenig wärmer")
    asked = await the_question(stage)
    assert asked.title == "„Tea“ wurde gestoppt. Was soll mit Ihrer Nachricht geschehen?"
    assert await status(stage, message_id) == "routed"
