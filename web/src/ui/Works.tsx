import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import type { Id, Scope, Task } from "../contract";
import { useLanguage } from "../i18n";
import { api, MOST_TASKS } from "../net/api";
import { client } from "../state/app";
import { useAtelier } from "../state/store";
import { isPutAway, matches } from "../state/view";
import { taskSentence } from "../text/states";
import { Dialog } from "./Dialog";
import { Problem } from "./Problem";
import { Mark } from "./icons";
import { useNow } from "./now";
import { taskMark } from "./TaskCard";

const SCOPES: Scope[] = ["current", "all", "archived"];

/** Every task, also those that have left the list by themselves and those that were put away. */
export function Works({ onClose }: { onClose: () => void }): ReactNode {
  const { words, formats } = useLanguage();
  const { works } = words;
  const name = useId();
  const [scope, setScope] = useState<Scope>("current");
  const [isWithSingle, setWithSingle] = useState(false);
  const [sought, setSought] = useState("");
  const { tasks, isBroken } = useListed(scope, isWithSingle);
  const found = tasks?.filter((task) => matches(task, sought));
  return (
    <Dialog title={works.title} className="list-dialog" onClose={onClose}>
      <div className="scopes" role="radiogroup" aria-label={works.title}>
        {SCOPES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={scope === each}
              onChange={() => setScope(each)}
            />
            <span>{works.scope[each]}</span>
          </label>
        ))}
      </div>
      <input
        type="search"
        className="search"
        aria-label={works.search}
        placeholder={works.search}
        value={sought}
        onChange={(event) => setSought(event.target.value)}
      />
      <label className="tick">
        <input
          type="checkbox"
          checked={isWithSingle}
          onChange={(event) => setWithSingle(event.target.checked)}
        />
        {works.withSingle}
      </label>
      <div className="listed" aria-busy={!tasks}>
        {!tasks && !isBroken && <p className="nothing">{works.loading}</p>}
        {isBroken && <p className="problem">{words.panel.loadFailed}</p>}
        {found && found.length > 0 && (
          <ul className="rows">
            {found.map((task) => (
              <Row key={task.id} task={task} />
            ))}
          </ul>
        )}
        {found?.length === 0 && (
          <p className="nothing" role="status">
            {tasks?.length === 0 ? works.none[scope] : works.noneFound}
          </p>
        )}
        {(tasks?.length ?? 0) >= MOST_TASKS && (
          <p className="nothing">{works.newest(formats.number(MOST_TASKS))}</p>
        )}
      </div>
    </Dialog>
  );
}

function Row({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const now = useNow();
  const [problem, setProblem] = useState("");
  const attempt = (act: Promise<void>): void =>
    void act.catch(() => setProblem(words.dialog.failed));
  const changed = words.works.changed(formats.relative(task.updated_at, now));
  return (
    <li>
      <button type="button" className="row" onClick={() => attempt(client.open(task.id))}>
        <Mark name={taskMark(task)} />
        <span className="row-words">
          <strong dir="auto">{task.title}</strong>
          <span dir="auto">{taskSentence(task, language)}</span>
          <small>{changed}</small>
        </span>
      </button>
      {isPutAway(task) && (
        <button
          type="button"
          className="button"
          aria-label={`${words.panel.unarchive}: ${task.title}`}
          onClick={() => attempt(client.control(task.id, "unarchive"))}
        >
          {words.panel.unarchive}
        </button>
      )}
      <Problem text={problem} />
    </li>
  );
}

/** The server's list, each task as it stands now. */
function useListed(scope: Scope, isWithSingle: boolean): { tasks: Task[] | null; isBroken: boolean } {
  const [listed, setListed] = useState<Task[] | null>(null);
  const [isBroken, setBroken] = useState(false);
  const known = useAtelier((state) => state.log.tasks);
  useEffect(() => {
    let isWanted = true;
    setListed(null);
    setBroken(false);
    api.tasks(scope, isWithSingle).then(
      (tasks) => isWanted && setListed(tasks),
      () => isWanted && setBroken(true),
    );
    return () => {
      isWanted = false;
    };
  }, [scope, isWithSingle]);
  const tasks = useMemo(
    () => listed && asTheyStand(listed, known).filter((task) => isPutAway(task) === (scope === "archived")),
    [listed, known, scope],
  );
  return { tasks, isBroken };
}

const asTheyStand = (tasks: Task[], known: Record<Id, Task>): Task[] =>
  tasks.map((task) => known[task.id] ?? task);
