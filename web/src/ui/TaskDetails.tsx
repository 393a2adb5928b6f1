import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Control, Id, Task } from "../contract";
import { useLanguage } from "../i18n";
import { ProblemError } from "../net/api";
import { ask, client, REPORT_ID, selectTask, writeAbout } from "../state/app";
import { useAtelier } from "../state/store";
import { hasEnded, hasMoney, isPutAway, listedTasks, objectsOf, progressOf, sortWorks } from "../state/view";
import { taskSentence, taskWord } from "../text/states";
import { AcceptanceState } from "./Acceptance";
import { ModelUse } from "./Account";
import { Bar } from "./Bar";
import { ControlDialog } from "./ControlDialog";
import { CopyLink } from "./CopyLink";
import { Documents, Files, Sounds } from "./Files";
import { Film } from "./Film";
import { Again, Box, ChevronRight, Mark, Merge, Pause, Pen, Play, Stop } from "./icons";
import { Models } from "./Model";
import { Money } from "./Money";
import { useNow } from "./now";
import { Pictures } from "./Pictures";
import { Jobs, Plan } from "./Plan";
import { Problem } from "./Problem";
import { Report } from "./Report";
import { taskMark } from "./TaskCard";
import { Wait } from "./Wait";

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
          <AcceptanceState task={task} />
        </Section>
      )}
      <Section title={panel.goal}>
        <Goal text={task.goal} />
      </Section>
      {task.checklist && (
        <Section
          title={panel.plan}
          aside={
            <>
              {!task.checklist.approved && <span>{panel.planDraft}</span>}
              <button
                type="button"
                className="link"
                onClick={() => ask({ kind: "graph", task: task.id })}
              >
                {words.graph.open}
              </button>
            </>
          }
        >
          <Plan task={task} items={task.checklist.items} />
        </Section>
      )}
      {hasMoney(task) && (
        <Section title={panel.money}>
          <Money budget={task.budget} />
          {!hasEnded(task) && !isPutAway(task) && (
            <button
              type="button"
              className="link money-more"
              onClick={() => ask({ kind: "more", task: task.id, of: "budget" })}
            >
              {words.more.budgetButton}
            </button>
          )}
        </Section>
      )}
      {task.model_usage && task.model_usage.calls > 0 && (
        <Section title={panel.modelUsage}>
          <ModelUse usage={task.model_usage} />
        </Section>
      )}
      <DrawsOn task={task} />
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

/** Which other tasks this one has read; pressing one goes there. */
function DrawsOn({ task }: { task: Task }): ReactNode {
  const { words, formats } = useLanguage();
  const now = useNow();
  const read = new Map((task.draws_on?.tasks ?? []).map((each) => [each.task_id, each]));
  if (read.size === 0) return null;
  return (
    <Section title={words.panel.drawsOn}>
      <ul className="rows">
        {[...read.values()].map(({ task_id: id, title, read_at: at }) => (
          <li key={id}>
            <GoTo id={id} title={title} detail={words.panel.readAt(formats.relative(at, now))} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function GoTo({ id, title, detail }: { id: Id; title: string; detail: string }): ReactNode {
  const { words } = useLanguage();
  const [isBroken, setBroken] = useState(false);
  return (
    <button
      type="button"
      className="row"
      onClick={() => void client.open(id).catch(() => setBroken(true))}
    >
      <span className="row-words">
        <strong dir="auto">{title}</strong>
        <small role={isBroken ? "alert" : undefined}>
          {isBroken ? words.panel.loadFailed : detail}
        </small>
      </span>
      <ChevronRight className="small" />
    </button>
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
  aside,
  id,
  children,
}: {
  title: string;
  aside?: ReactNode;
  id?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="panel-section" id={id}>
      <h3>
        {title}
        {aside && <span className="aside">{aside}</span>}
      </h3>
      {children}
    </section>
  );
}

function Head({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const progress = progressOf(task);
  return (
    <div className="panel-head">
      <TaskSwitch task={task} />
      <div className="panel-title">
        <h2 dir="auto">{task.title}</h2>
        <CopyLink key={task.id} to={{ kind: "task", id: task.id }} />
      </div>
      <p className="state">
        <Mark name={taskMark(task)} />
        <span dir="auto">{taskSentence(task, language)}</span>
      </p>
      <Wait task={task} />
      {progress && !hasEnded(task) && (
        <Bar
          value={progress.fraction}
          words={words.task.steps(
            formats.number(progress.stepsDone),
            formats.number(progress.steps),
          )}
        />
      )}
      {task.merged_into && <JoinedTo id={task.merged_into} />}
      <Actions task={task} />
    </div>
  );
}

/** The way to the task that goes on with the words of this one. */
function JoinedTo({ id }: { id: Id }): ReactNode {
  const { words } = useLanguage();
  const title = useAtelier(({ log, beyond }) => (log.tasks[id] ?? beyond[id])?.title);
  return (
    <GoTo id={id} title={title === undefined ? words.task.open : words.task.joinedTo(title)} detail="" />
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
  const [asking, setAsking] = useState<"stop" | "pause" | "reopen" | null>(null);
  const [problem, setProblem] = useState("");
  const { panel } = words;
  const steer = (action: Control): void => {
    setProblem("");
    client.control(task.id, action).catch((error: unknown) => {
      setProblem((error instanceof ProblemError && error.detail) || words.dialog.failed);
    });
  };
  const isOpen = !hasEnded(task);
  const isAway = isPutAway(task);
  const group = useFocusOnWhatIsLeft(`${task.status} ${isAway}`);
  return (
    <>
      <div className="buttons" ref={group}>
        {isAway ? (
          <Action icon={<Again />} words={panel.unarchive} onPress={() => steer("unarchive")} />
        ) : (
          <Action
            icon={<Pen />}
            words={panel.write}
            onPress={() => writeAbout({ kind: "task", id: task.id, label: task.title })}
          />
        )}
        {isOpen && task.status === "paused" && (
          <Action icon={<Play />} words={panel.resume} onPress={() => steer("resume")} />
        )}
        {isOpen && task.status !== "paused" && (
          <Action icon={<Pause />} words={panel.pause} onPress={() => setAsking("pause")} />
        )}
        {isOpen && <Action icon={<Stop />} words={panel.stop} onPress={() => setAsking("stop")} />}
        {!isOpen && !isAway && (
          <>
            {task.status !== "completed" && (
              <Action icon={<Again />} words={panel.reopen} onPress={() => setAsking("reopen")} />
            )}
            <Action icon={<Box />} words={panel.archive} onPress={() => steer("archive")} />
          </>
        )}
        {!isAway && (
          <Action
            icon={<Merge />}
            words={words.join.button}
            onPress={() => ask({ kind: "merge", task: task.id })}
          />
        )}
      </div>
      <Problem text={problem} />
      {asking && <ControlDialog task={task} action={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** A pressed button that goes away with the state it ended gives the focus to those in its place. */
function useFocusOnWhatIsLeft(state: string): RefObject<HTMLDivElement | null> {
  const group = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      group.current?.querySelector("button")?.focus();
    }
    hadFocus.current = false;
  }, [state]);
  useEffect(() => {
    const element = group.current;
    const note = (): void => {
      hadFocus.current = true;
    };
    element?.addEventListener("click", note);
    return () => element?.removeEventListener("click", note);
  }, []);
  return group;
}

function Action({
  icon,
  words,
  onPress,
}: {
  icon: ReactNode;
  words: string;
  onPress: () => void;
}): ReactNode {
  return (
    <button type="button" className="button" onClick={onPress}>
      {icon}
      {words}
    </button>
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
