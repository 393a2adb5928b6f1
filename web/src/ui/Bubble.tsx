import { memo, type ReactNode, useState } from "react";
import type { Message } from "../contract";
import { useLanguage } from "../i18n";
import { ask, client, COMPOSER_ID } from "../state/app";
import { type Outgoing, store, useAtelier } from "../state/store";
import { correctionOf } from "../state/view";
import { passageOf, type Passage } from "../text/states";
import { Prose } from "./Prose";
import { Away, Warning } from "./icons";

const LONG_TEXT = 1_400;

export const UserMessage = memo(function UserMessage({ message }: { message: Message }): ReactNode {
  const language = useLanguage();
  const tasks = useAtelier((state) => state.log.tasks);
  const passage = passageOf(message, (id) => tasks[id]?.title ?? null, language);
  return (
    <article className="message from-you" aria-label={language.words.chat.you}>
      <Words text={message.text} lang={message.language} />
      <p className={passage.isProblem ? "passage problem" : "passage"}>
        <PassageMarks reached={passage.reached} isProblem={passage.isProblem} />
        <span dir="auto">{passage.words}</span>
        <time dateTime={message.created_at}>{language.formats.time(message.created_at)}</time>
        <Correct message={message} />
      </p>
    </article>
  );
});

/** The way to say that a message went to the wrong work. */
function Correct({ message }: { message: Message }): ReactNode {
  const { words } = useLanguage();
  const correction = useAtelier(({ log }) => correctionOf(log, message));
  const { task_id: task } = message;
  if (correction === null || task === null) return null;
  return (
    <button
      type="button"
      className="icon-button tiny"
      aria-label={words.correct.button}
      title={words.correct.button}
      onClick={() =>
        ask(correction === "move" ? { kind: "move", message: message.id } : { kind: "merge", task })
      }
    >
      <Away />
    </button>
  );
}

/** Three marks: received, delivered, read. The words beside them say the same. */
function PassageMarks({ reached, isProblem }: Pick<Passage, "reached" | "isProblem">): ReactNode {
  if (isProblem) return <Warning className="small" />;
  if (reached === 0) return null;
  return (
    <svg className="passage-marks" viewBox="0 0 22 6" aria-hidden="true" focusable="false">
      {[0, 1, 2].map((place) => (
        <circle
          key={place}
          cx={3 + place * 8}
          cy="3"
          r="2.1"
          className={place < reached ? "reached" : ""}
        />
      ))}
    </svg>
  );
}

function Words({ text, lang }: { text: string; lang: string | null }): ReactNode {
  const { words } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG_TEXT;
  return (
    <div className="bubble">
      <p dir="auto" lang={lang ?? undefined}>
        {isLong && !isOpen ? `${text.slice(0, LONG_TEXT).trimEnd()}…` : text}
      </p>
      {isLong && (
        <button
          type="button"
          className="link"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.chat.showLess : words.chat.showAll}
        </button>
      )}
    </div>
  );
}

export function OutgoingMessage({ item }: { item: Outgoing }): ReactNode {
  const { words } = useLanguage();
  const { message } = words;
  const takeBack = (): void => {
    client.discard(item.clientId);
    store.set((state) => ({
      draft: state.draft.trim() === "" ? item.text : `${item.text}\n\n${state.draft}`,
      target: state.target ?? item.target,
    }));
    document.getElementById(COMPOSER_ID)?.focus();
  };
  return (
    <article className="message from-you on-its-way" aria-label={words.chat.you}>
      <Words text={item.text} lang={null} />
      {item.state === "failed" ? (
        <div className="passage problem" role="alert">
          <Warning className="small" />
          <span>{item.problem === null ? message.notSent : item.problem || message.refused}</span>
          <button type="button" className="link" onClick={() => client.retry(item.clientId)}>
            {message.retry}
          </button>
          <button type="button" className="link" onClick={takeBack}>
            {message.takeBack}
          </button>
        </div>
      ) : (
        <p className="passage">
          <PassageMarks reached={item.state === "accepted" ? 1 : 0} isProblem={false} />
          <span>{item.state === "accepted" ? message.received : message.sending}</span>
        </p>
      )}
    </article>
  );
}

export const AssistantMessage = memo(function AssistantMessage({
  message,
  goesOn = false,
}: {
  message: Message;
  /** Whether it goes on from the message above it, whose heading stands for both. */
  goesOn?: boolean;
}): ReactNode {
  const { words, formats } = useLanguage();
  const stream = useAtelier((state) => state.live.streams[message.id]);
  const task = useAtelier((state) =>
    message.task_id === null ? null : (state.log.tasks[message.task_id] ?? null),
  );
  const isStreaming = message.status === "streaming";
  const text = isStreaming ? (stream?.text ?? message.text) : message.text;
  return (
    <article
      className={isStreaming ? "message from-atelier streaming" : "message from-atelier"}
      aria-label={words.chat.atelier}
      aria-busy={isStreaming}
    >
      {!goesOn && (
        <p className="byline">
          <strong>{words.chat.atelier}</strong>
          {task && <span dir="auto">{words.message.fromTask(task.title)}</span>}
          <time dateTime={message.created_at}>{formats.time(message.created_at)}</time>
        </p>
      )}
      {text === "" && isStreaming ? (
        <p className="thinking">
          <span className="sr-only">{words.chat.writing}</span>
          <i />
          <i />
          <i />
        </p>
      ) : (
        <Prose text={text} lang={message.language} isPartial={isStreaming} />
      )}
    </article>
  );
});
