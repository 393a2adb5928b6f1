import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import type { Id, Task } from "../contract";
import { useLanguage } from "../i18n";
import { api } from "../net/api";
import { useAtelier } from "../state/store";
import { hasEnded, isPutAway, matches } from "../state/view";
import { taskWord } from "../text/states";
import { useNow } from "./now";

const MANY = 6;

interface TaskPickerProps {
  legend: string;
  /** The task that is not offered. */
  except: Id;
  /** An offer beside the tasks, with an id of its own. */
  extra?: { id: Id; label: string; detail: string };
  /** Said where nothing is offered. */
  none: string;
  chosen: Id | null;
  onChange: (id: Id, title: string) => void;
}

/** One of the tasks that are not put away, those at work first; a search where there are many. */
export function TaskPicker({
  legend,
  except,
  extra,
  none,
  chosen,
  onChange,
}: TaskPickerProps): ReactNode {
  const { words } = useLanguage();
  const name = useId();
  const [sought, setSought] = useState("");
  const tasks = useTasks(except);
  const found = tasks.filter((task) => matches(task, sought));
  if (tasks.length === 0 && !extra) return <p className="nothing">{none}</p>;
  return (
    <fieldset className="options picker">
      <legend>{legend}</legend>
      {tasks.length > MANY && (
        <input
          type="search"
          className="search"
          aria-label={words.works.search}
          placeholder={words.works.search}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <div className="picker-list">
        {found.map((task) => (
          <TaskChoice
            key={task.id}
            name={name}
            task={task}
            isChosen={chosen === task.id}
            onChange={onChange}
          />
        ))}
        {found.length === 0 && tasks.length > 0 && (
          <p className="nothing" role="status">
            {words.works.noneFound}
          </p>
        )}
      </div>
      {extra && (
        <label>
          <input
            type="radio"
            name={name}
            checked={chosen === extra.id}
            onChange={() => onChange(extra.id, extra.label)}
          />
          <span>
            <strong>{extra.label}</strong>
            <small>{extra.detail}</small>
          </span>
        </label>
      )}
    </fieldset>
  );
}

function TaskChoice({
  name,
  task,
  isChosen,
  onChange,
}: {
  name: string;
  task: Task;
  isChosen: boolean;
  onChange: TaskPickerProps["onChange"];
}): ReactNode {
  const language = useLanguage();
  const now = useNow();
  const changed = language.formats.relative(task.updated_at, now);
  return (
    <label>
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={() => onChange(task.id, task.title)}
      />
      <span>
        <strong dir="auto">{task.title}</strong>
        <small>
          {taskWord(task, language)} · {language.words.works.changed(changed)}
        </small>
      </span>
    </label>
  );
}

/** What the page knows, and what it has not loaded. */
function useTasks(except: Id): Task[] {
  const known = useAtelier((state) => state.log.tasks);
  const [older, setOlder] = useState<Task[]>([]);
  useEffect(() => {
    let isWanted = true;
    api.tasks("all", true).then(
      (tasks) => isWanted && setOlder(tasks),
      () => undefined, // then there are those that the page knows
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return useMemo(() => {
    const all = new Map([...older, ...Object.values(known)].map((task) => [task.id, task]));
    return [...all.values()]
      .filter((task) => task.id !== except && !isPutAway(task))
      .sort(
        (a, b) =>
          Number(hasEnded(a)) - Number(hasEnded(b)) ||
          Date.parse(b.updated_at) - Date.parse(a.updated_at),
      );
  }, [known, older, except]);
}
