"""What Main itself says, in the person's language; a language that is not here gets English.

Only sentences that code chooses: everything else Main says was written by a model.
"""

from typing import Literal

type Sentence = Literal[
    "new",
    "continue",
    "bring_back",
    "which",
    "which_object",
    "stopped",
    "archived",
    "gone",
    "dead_link",
    "joined",
    "object_gone",
    "object_elsewhere",
    "unanswered",
]

_SENTENCES: dict[Sentence, dict[str, str]] = {
    "new": {
        "en": "Something new",
        "de": "Etwas Neues",
        "es": "Algo nuevo",
        "fr": "Quelque chose de nouveau",
        "it": "Qualcosa di nuovo",
        "pt": "Algo novo",
        "ko": "새로운 작업",
        "zh": "新的任务",
        "ja": "新しい作業",
    },
    "continue": {
        "en": "Continue “{title}”",
        "de": "„{title}“ fortsetzen",
        "es": "Continuar «{title}»",
        "fr": "Continuer « {title} »",
        "it": "Continuare «{title}»",
        "pt": "Continuar «{title}»",
        "ko": "‘{title}’ 계속하기",
        "zh": "继续“{title}”",
        "ja": "「{title}」を続ける",
    },
    "bring_back": {
        "en": "Bring back “{title}”",
        "de": "„{title}“ zurückholen",
        "es": "Recuperar «{title}»",
        "fr": "Reprendre « {title} »",
        "it": "Riprendere «{title}»",
        "pt": "Recuperar «{title}»",
        "ko": "‘{title}’ 다시 꺼내기",
        "zh": "取回“{title}”",
        "ja": "「{title}」を戻す",
    },
    "which": {
        "en": "Which one do you mean?",
        "de": "Welche Arbeit meinen Sie?",
        "es": "¿A cuál se refiere?",
        "fr": "Duquel parlez-vous ?",
        "it": "Quale intende?",
        "pt": "Qual deles você quer dizer?",
        "ko": "어느 작업을 말씀하시나요?",
        "zh": "你指的是哪一个？",
        "ja": "どの作業のことですか？",
    },
    "which_object": {
        "en": "Which of these do you mean?",
        "de": "Was davon meinen Sie?",
        "es": "¿A cuál de estos se refiere?",
        "fr": "Duquel de ceux-ci parlez-vous ?",
        "it": "Quale di questi intende?",
        "pt": "Qual destes você quer dizer?",
        "ko": "이 중 어느 것을 말씀하시나요?",
        "zh": "你指的是其中哪一个？",
        "ja": "このうちどれのことですか？",
    },
    "stopped": {
        "en": "“{title}” was stopped. What should happen with your message?",
        "de": "„{title}“ wurde gestoppt. Was soll mit Ihrer Nachricht geschehen?",
        "es": "«{title}» se detuvo. ¿Qué hago con su mensaje?",
        "fr": "« {title} » a été arrêté. Que faire de votre message ?",
        "it": "«{title}» è stato fermato. Che cosa faccio con il Suo messaggio?",
        "pt": "«{title}» foi parado. O que faço com a sua mensagem?",
        "ko": "‘{title}’ 작업은 중지되었습니다. 메시지를 어떻게 할까요?",
        "zh": "“{title}”已停止。你的消息该怎么处理？",
        "ja": "「{title}」は停止されています。このメッセージをどうしますか？",
    },
    "archived": {
        "en": "“{title}” is archived. What should happen with your message?",
        "de": "„{title}“ ist archiviert. Was soll mit Ihrer Nachricht geschehen?",
        "es": "«{title}» está archivado. ¿Qué hago con su mensaje?",
        "fr": "« {title} » est archivé. Que faire de votre message ?",
        "it": "«{title}» è archiviato. Che cosa faccio con il Suo messaggio?",
        "pt": "«{title}» está arquivado. O que faço com a sua mensagem?",
        "ko": "‘{title}’ 작업은 보관되어 있습니다. 메시지를 어떻게 할까요?",
        "zh": "“{title}”已归档。你的消息该怎么处理？",
        "ja": "「{title}」は保管済みです。このメッセージをどうしますか？",
    },
    "gone": {
        "en": "The work that this seems to be about is not here. Which one do you mean?",
        "de": "Die Arbeit, um die es zu gehen scheint, ist nicht hier. Welche meinen Sie?",
        "es": "El trabajo del que parece tratarse no está aquí. ¿A cuál se refiere?",
        "fr": "Le travail dont il semble s’agir n’est pas ici. Duquel parlez-vous ?",
        "it": "Il lavoro di cui sembra trattarsi non è qui. Quale intende?",
        "pt": "O trabalho de que parece tratar-se não está aqui. Qual você quer dizer?",
        "ko": "말씀하신 작업을 찾을 수 없습니다. 어느 작업을 말씀하시나요?",
        "zh": "这里没有你似乎提到的作品。你指的是哪一个？",
        "ja": "お話の作業はここにないようです。どの作業のことですか？",
    },
    "dead_link": {
        "en": "The link in your message leads to nothing that is here. What should happen with it?",
        "de": "Der Link in Ihrer Nachricht führt hier zu nichts. Was soll mit ihr geschehen?",
        "es": "El enlace de su mensaje no lleva a nada que esté aquí. ¿Qué hago con su mensaje?",
        "fr": "Le lien dans votre message ne mène à rien d’ici. Que faire de votre message ?",
        "it": "Il link nel Suo messaggio non porta a nulla che sia qui. Che cosa ne faccio?",
        "pt": "O link na sua mensagem não leva a nada que esteja aqui. O que faço com ela?",
        "ko": "메시지의 링크가 가리키는 것이 여기에 없습니다. 메시지를 어떻게 할까요?",
        "zh": "你消息中的链接指向的内容不在这里。这条消息该怎么处理？",
        "ja": "メッセージのリンク先はここにありません。このメッセージをどうしますか？",
    },
    "joined": {
        "en": "“{title}” was joined to “{other}”. What should happen with your message?",
        "de": "„{title}“ ging in „{other}“ auf. Was soll mit Ihrer Nachricht geschehen?",
        "es": "«{title}» se unió a «{other}». ¿Qué hago con su mensaje?",
        "fr": "« {title} » a été réuni à « {other} ». Que faire de votre message ?",
        "it": "«{title}» è stato unito a «{other}». Che cosa faccio con il Suo messaggio?",
        "pt": "«{title}» foi unido a «{other}». O que faço com a sua mensagem?",
        "ko": "‘{title}’ 작업은 ‘{other}’에 합쳐졌습니다. 메시지를 어떻게 할까요?",
        "zh": "“{title}”已并入“{other}”。你的消息该怎么处理？",
        "ja": "「{title}」は「{other}」に統合されています。このメッセージをどうしますか？",
    },
    "object_gone": {
        "en": "What this is about is no longer here. What should happen with your message?",
        "de": "Worum es hier geht, ist nicht mehr da. Was soll mit Ihrer Nachricht geschehen?",
        "es": "Aquello de lo que se trata ya no está aquí. ¿Qué hago con su mensaje?",
        "fr": "Ce dont il s’agit n’est plus là. Que faire de votre message ?",
        "it": "Ciò di cui si tratta non è più qui. Che cosa faccio con il Suo messaggio?",
        "pt": "Aquilo de que se trata já não está aqui. O que faço com a sua mensagem?",
        "ko": "말씀하신 대상이 더 이상 없습니다. 메시지를 어떻게 할까요?",
        "zh": "你所指的东西已不在这里。你的消息该怎么处理？",
        "ja": "お話のものはもうここにありません。このメッセージをどうしますか？",
    },
    "object_elsewhere": {
        "en": "“{name}” belongs to another work. Which one is your message for?",
        "de": "„{name}“ gehört zu einer anderen Arbeit. Für welche ist Ihre Nachricht?",
        "es": "«{name}» pertenece a otro trabajo. ¿Para cuál es su mensaje?",
        "fr": "« {name} » appartient à un autre travail. Pour lequel est votre message ?",
        "it": "«{name}» appartiene a un altro lavoro. Per quale è il Suo messaggio?",
        "pt": "«{name}» pertence a outro trabalho. Para qual é a sua mensagem?",
        "ko": "‘{name}’은(는) 다른 작업에 속합니다. 어느 작업에 보낼 메시지인가요?",
        "zh": "“{name}”属于另一个作品。你的消息是给哪一个的？",
        "ja": "「{name}」は別の作業のものです。どの作業へのメッセージですか？",
    },
    "unanswered": {
        "en": "Nobody has said which work this message is for, so nothing was done with it. "
        "It is kept; send it again whenever you like.",
        "de": "Niemand hat gesagt, für welche Arbeit diese Nachricht ist, darum ist nichts mit ihr "
        "geschehen. Sie bleibt hier; schicken Sie sie wieder, wann Sie möchten.",
        "es": "Nadie ha dicho para qué trabajo es este mensaje, así que no se hizo nada con él. "
        "Queda guardado; envíelo de nuevo cuando quiera.",
        "fr": "Personne n’a dit pour quel travail est ce message, donc rien n’en a été fait. "
        "Il est gardé ; renvoyez-le quand vous voulez.",
        "it": "Nessuno ha detto per quale lavoro è questo messaggio, quindi non se ne è fatto "
        "nulla. Resta qui; lo invii di nuovo quando vuole.",
        "pt": "Ninguém disse para que trabalho é esta mensagem, por isso nada foi feito com ela. "
        "Ela fica guardada; envie de novo quando quiser.",
        "ko": "이 메시지가 어느 작업에 대한 것인지 답이 없어 아무것도 하지 않았습니다. "
        "메시지는 남아 있으니 언제든 다시 보내 주세요.",
        "zh": "没有人说明这条消息是给哪个作品的，所以没有对它做任何处理。消息已保留，可随时再发。",
        "ja": "このメッセージがどの作業へのものか答えがなかったため、何もしていません。"
        "メッセージは残っています。いつでも送り直してください。",
    },
}


def say(sentence: Sentence, language: str, /, **values: str) -> str:
    """Return a sentence in the language of a tag (`de-AT` is German)."""
    said = _SENTENCES[sentence]
    text = said.get(language.partition("-")[0].lower(), said["en"])
    # One pass over our own text: a title that holds braces is only a title.
    return text.format(**values)
