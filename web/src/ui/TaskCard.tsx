import { memo, type ReactNode, useMemo } from "react";
import type { ChecklistItem, Id, Task } from "../contract";
import { useLanguage } from "../i18n";
import { selectTask } from "../state/app";
import { useAtelier } from "../state/store";
import {
  contactSheet,
  hasEnded,
  hasMoney,
  objectsOf,
  progressOf,
  shownTask,
  sortWorks,
  spent,
} from "../state/view";
import { standing, stepSentence, taskSentence } from "../text/states";
import { Bar } from "./Bar";
import { ContactSheet } from "./ContactSheet";
import { Film } from "./Film";
import { Mark, markOf, type MarkName } from "./icons";
import { useIsWide, WIDE } from "./now";
import { Pictures } from "./Pictures";
import { Sounds } from "./Files";
import { Wait } from "./Wait";

const SHORT_LIST = 8;

export function taskMark(task: Task): MarkName {
  switch (task.status) {
    case "active":
      return "doing";
    case "waiting":
      return task.waiting_reason === "jobs" ? "doing" : "waiting";
    case "completed":
      return "done";
    default:
      return task.status;
  }
}

/** A task in the chat, at the place where it began, always in its present state. */
export const TaskCard = memo(function TaskCard({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const progress = progressOf(task);
  const isOpen = !hasEnded(task);
  const amount = formats.money(spent(task), task.budget.currency);
  const isShown = useIsShown(task.id);
  return (
    <article className={`card task-card is-${task.status}`} aria-label={words.task.label}>
      <header className="card-head">
        <Mark name={taskMark(task)} />
        <div className="card-title">
          <h3 dir="auto">{task.title}</h3>
          <p className="sentence" dir="auto">
            {taskSentence(task, language)}
          </p>
        </div>
        {!isShown && (
          <button type="button" className="button quiet" onClick={() => selectTask(task.id)}>
            {words.task.open}
          </button>
        )}
      </header>
      <Wait task={task} isBrief isShown={isShown} />
      {progress && isOpen && (
        <Bar
          value={progress.fraction}
          words={words.task.steps(
            formats.number(progress.stepsDone),
            formats.number(progress.steps),
          )}
        />
      )}
      {(progress || hasMoney(task)) && (
        <p className="facts">
          {progress && (
            <span>
              {words.task.steps(formats.number(progress.stepsDone), formats.number(progress.steps))}
            </span>
          )}
          {hasMoney(task) && <span>{isOpen ? words.task.soFar(amount) : words.task.inAll(amount)}</span>}
        </p>
      )}
      {task.kind === "lightweight" && <Results task={task} />}
      {task.checklist && isOpen && <ShortList task={task} items={task.checklist.items} />}
    </article>
  );
});

/** Whether the panel beside the chat already shows it: then there is nothing to open. */
function useIsShown(id: Id): boolean {
  const isWide = useIsWide(WIDE);
  const isInPanel = useAtelier(
    ({ log, selectedTask, beyond }) => shownTask(log, selectedTask, beyond)?.id === id,
  );
  return isWide && isInPanel;
}

function ShortList({ task, items }: { task: Task; items: ChecklistItem[] }): ReactNode {
  const language = useLanguage();
  const shown = items.slice(0, SHORT_LIST);
  return (
    <ol className="short-list">
      {shown.map((item) => (
        <li key={item.key} className={`is-${standing(task, item)}`}>
          <Mark name={markOf(standing(task, item))} />
          <span className="step-title" dir="auto">
            {item.title}
          </span>
          <span className="step-state">{stepSentence(task, item, language)}</span>
          <Sheet task={task} item={item} />
        </li>
      ))}
      {items.length > shown.length && (
        <li className="more">
          {language.words.task.moreSteps(language.formats.number(items.length - shown.length))}
        </li>
      )}
    </ol>
  );
}

function Sheet({ task, item }: { task: Task; item: ChecklistItem }): ReactNode {
  const log = useAtelier((state) => state.log);
  if (standing(task, item) !== "doing" && item.running === 0) return null;
  return <ContactSheet cells={contactSheet(log, task, item)} size="small" />;
}

/** What a lightweight task has made, right in its card: it has no other place. */
function Results({ task }: { task: Task }): ReactNode {
  const log = useAtelier((state) => state.log);
  const works = useMemo(() => sortWorks(objectsOf(log, task)), [log, task]);
  const film = works.film ?? works.clips.at(-1) ?? null;
  if (!film && works.pictures.length === 0 && works.sounds.length === 0) return null;
  return (
    <div className="results">
      {film && <Film film={film} poster={works.poster} captions={works.captions} />}
      {works.pictures.length > 0 && <Pictures pictures={works.pictures} />}
      {works.sounds.length > 0 && <Sounds sounds={works.sounds} />}
    </div>
  );
}
