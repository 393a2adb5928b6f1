import { type ReactNode, useMemo, useState } from "react";
import type { Task } from "../contract";
import { useLanguage } from "../i18n";
import { client, REPORT_ID, selectTask, writeAbout } from "../state/app";
import { useAtelier } from "../state/store";
import { hasEnded, hasMoney, listedTasks, objectsOf, progressOf, sortWorks } from "../state/view";
import { taskReason, taskSentence, taskWord } from "../text/states";
import { Bar } from "./Bar";
import { ControlDialog } from "./ControlDialog";
import { Documents, Files, Sounds } from "./Files";
import { Film } from "./Film";
import { Mark, Pause, Pen, Play, Stop } from "./icons";
import { Models } from "./Model";
import { Money } from "./Money";
import { Pictures } from "./Pictures";
import { Jobs, Plan } from "./Plan";
import { Report } from "./Report";
import { taskMark } from "./TaskCard";

/** Everything about one task, the most useful first: what there is, then what is going on, then the books. */
export function TaskDetails({ task }: { task: Task }): ReactNode {
  const { words } = useLanguage();
  const log = useAtelier((state) => state.log);
  const works = useMemo(
    () => sortWorks(objectsOf(log, task), task.delivery),
    [log, task],
  );
  const { panel } = words;
  const drawn = new Set(
    (task.checklist?.items ?? [])
      .filter((item) => item.expected > 1)
      .flatMap((item) => item.outputs.map((output) => output.object_id)),
  );
  const pictures = works.pictures.filter((picture) => !drawn.has(picture.id));
  return (
    <>
      <Head task={task} />
      {works.film && (
        <Section title={panel.film}>
          <Film film={works.film} poster={works.poster} captions={works.captions} />
        </Section>
      )}
      {works.models.length > 0 && (
        <Section title={panel.models}>
          <Models models={works.models} />
        </Section>
      )}
      {task.delivery && (
        <Section title={words.delivery.report} id={REPORT_ID}>
          <Report delivery={task.delivery} />
        </Section>
      )}
      <Section title={panel.goal}>
        <Goal text={task.goal} />
      </Section>
      {task.checklist && (
        <Section title={panel.plan} aside={task.checklist.approved ? "" : panel.planDraft}>
          <Plan task={task} items={task.checklist.items} />
        </Section>
      )}
      {hasMoney(task) && (
        <Section title={panel.money}>
          <Money budget={task.budget} />
        </Section>
      )}
      {pictures.length > 0 && (
        <Section title={panel.pictures}>
          <Pictures pictures={pictures} />
        </Section>
      )}
      {works.documents.length > 0 && (
        <Section title={panel.documents}>
          <Documents documents={works.documents} />
        </Section>
      )}
      {works.sounds.length > 0 && (
        <Section title={panel.sounds}>
          <Sounds sounds={works.sounds} />
        </Section>
      )}
      <OtherFiles task={task} />
      {task.jobs.total > 0 && (
        <Section title={panel.jobs}>
          <Jobs task={task} />
        </Section>
      )}
    </>
  );
}

function OtherFiles({ task }: { task: Task }): ReactNode {
  const { words } = useLanguage();
  const log = useAtelier((state) => state.log);
  const works = sortWorks(objectsOf(log, task), task.delivery);
  const files = [
    ...(works.film ? [works.film] : []),
    ...works.clips,
    ...works.captions,
    ...works.models.map(({ model }) => model),
    ...works.others,
  ];
  if (files.length === 0) return null;
  return (
    <Section title={words.panel.files}>
      <Files files={files} />
    </Section>
  );
}

function Section({
  title,
  aside = "",
  id,
  children,
}: {
  title: string;
  aside?: string;
  id?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="panel-section" id={id}>
      <h3>
        {title}
        {aside && <span>{aside}</span>}
      </h3>
      {children}
    </section>
  );
}

function Head({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const progress = progressOf(task);
  const reason = taskReason(task, language);
  return (
    <div className="panel-head">
      <TaskSwitch task={task} />
      <h2 dir="auto">{task.title}</h2>
      <p className="state">
        <Mark name={taskMark(task)} />
        <span dir="auto">{taskSentence(task, language)}</span>
      </p>
      {reason && (
        <p className="reason" dir="auto">
          {reason}
        </p>
      )}
      {progress && !hasEnded(task) && (
        <Bar
          value={progress.fraction}
          words={words.task.steps(
            formats.number(progress.stepsDone),
            formats.number(progress.steps),
          )}
        />
      )}
      <Actions task={task} />
    </div>
  );
}

/** Shown only where there is something to switch between. */
function TaskSwitch({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const { words } = language;
  const log = useAtelier((state) => state.log);
  const listed = useMemo(() => listedTasks(log), [log]);
  if (listed.length < 2) return null;
  const tasks = listed.some((other) => other.id === task.id) ? listed : [task, ...listed];
  return (
    <select
      className="task-switch"
      aria-label={words.panel.switchTask}
      value={task.id}
      onChange={(event) => selectTask(event.target.value)}
    >
      {tasks.map((other) => (
        <option key={other.id} value={other.id}>
          {other.title} – {taskWord(other, language)}
        </option>
      ))}
    </select>
  );
}

function Actions({ task }: { task: Task }): ReactNode {
  const { words } = useLanguage();
  const [asking, setAsking] = useState<"stop" | "pause" | null>(null);
  const { panel } = words;
  const write = (): void => writeAbout({ kind: "task", id: task.id, label: task.title });
  return (
    <div className="buttons">
      <button type="button" className="button" onClick={write}>
        <Pen />
        {panel.write}
      </button>
      {!hasEnded(task) && (
        <>
          {task.status === "paused" ? (
            <button
              type="button"
              className="button"
              onClick={() => void client.control(task.id, "resume").catch(() => undefined)}
            >
              <Play />
              {panel.resume}
            </button>
          ) : (
            <button type="button" className="button" onClick={() => setAsking("pause")}>
              <Pause />
              {panel.pause}
            </button>
          )}
          <button type="button" className="button" onClick={() => setAsking("stop")}>
            <Stop />
            {panel.stop}
          </button>
        </>
      )}
      {asking && <ControlDialog task={task} action={asking} onClose={() => setAsking(null)} />}
    </div>
  );
}

const LONG_GOAL = 320;

function Goal({ text }: { text: string }): ReactNode {
  const { words } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG_GOAL;
  return (
    <>
      <p className="goal" dir="auto">
        {isLong && !isOpen ? `${text.slice(0, LONG_GOAL).trimEnd()}…` : text}
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
    </>
  );
}
