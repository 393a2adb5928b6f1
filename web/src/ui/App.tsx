import { type ReactNode, useEffect, useState } from "react";
import { useLanguage } from "../i18n";
import { ask, closePanel, COMPOSER_ID, selectTask } from "../state/app";
import { store, useAtelier } from "../state/store";
import { needsYou, shownTask } from "../state/view";
import { taskSentence } from "../text/states";
import { Announcer } from "./Announcer";
import { Asked } from "./Asked";
import { Boundary } from "./Boundary";
import { Chat } from "./Chat";
import { Composer } from "./Composer";
import { Dialog } from "./Dialog";
import { Empty, Examples } from "./Empty";
import { ChevronRight, Cross, Info, List, Logo, Mark, Sliders, Warning } from "./icons";
import { NeedsYou } from "./NeedsYou";
import { useIsWide, WIDE } from "./now";
import { TaskDetails } from "./TaskDetails";
import { taskMark } from "./TaskCard";

export function App(): ReactNode {
  const { words } = useLanguage();
  const isLoaded = useAtelier((state) => state.log.epoch !== null);
  const isEmpty = useAtelier(
    ({ log, outbox }) =>
      outbox.length === 0 &&
      Object.keys(log.messages).length === 0 &&
      Object.keys(log.tasks).length === 0,
  );
  const isWide = useIsWide(WIDE);
  const state = isLoaded ? (isEmpty ? "is-empty" : "") : "is-loading";
  return (
    <div className={`page ${state}`}>
      <a
        className="skip"
        href={`#${COMPOSER_ID}`}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById(COMPOSER_ID)?.focus();
        }}
      >
        {words.skipToComposer}
      </a>
      <Header />
      <main className="centre">
        {!isLoaded ? (
          <p className="loading">{words.chat.loading}</p>
        ) : isEmpty ? (
          <Empty />
        ) : (
          <Chat />
        )}
        <div className="dock">
          <Notices />
          <NeedsYou />
          {!isWide && <TaskPill />}
          <Composer isFirst={isEmpty} />
        </div>
        {isLoaded && isEmpty && <Examples />}
      </main>
      <Panel isWide={isWide} />
      <Asked />
      <Announcer />
      <TitleBadge />
    </div>
  );
}

function Header(): ReactNode {
  const { words } = useLanguage();
  const isRehearsal = useAtelier((state) => state.log.workspace?.rehearsal ?? false);
  return (
    <header className="top">
      <h1>
        <Logo />
        Atelier
      </h1>
      <ConnectionState />
      {isRehearsal && (
        <p className="rehearsal">
          <Info className="small" />
          {words.rehearsal}
        </p>
      )}
      <nav className="top-nav" aria-label="Atelier">
        <button type="button" className="button quiet" onClick={() => ask({ kind: "works" })}>
          <List />
          {words.works.open}
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={words.settings.open}
          title={words.settings.open}
          onClick={() => ask({ kind: "settings" })}
        >
          <Sliders />
        </button>
      </nav>
    </header>
  );
}

const PATIENCE_MS = 1_200;

/** Silent while all is well; a short break is not worth a word either. */
function ConnectionState(): ReactNode {
  const { words } = useLanguage();
  const connection = useAtelier((state) => state.connection);
  const [isShown, setShown] = useState(false);
  const isAway = connection === "reconnecting";
  useEffect(() => {
    if (!isAway) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isAway]);
  return (
    <div className="connection" role="status">
      {isShown && (
        <p>
          <Mark name="doing" />
          <strong>{words.connection.reconnecting}</strong>
          <span>{words.connection.reconnectingDetail}</span>
        </p>
      )}
    </div>
  );
}

function Notices(): ReactNode {
  const { words } = useLanguage();
  const notices = useAtelier((state) => state.live.notices);
  const dismiss = (key: string): void =>
    store.set(({ live }) => ({
      live: { ...live, notices: live.notices.filter((notice) => notice.key !== key) },
    }));
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <p key={notice.key} className={`notice is-${notice.level}`}>
          {notice.level === "info" ? <Info /> : <Warning />}
          <span dir="auto">{notice.text}</span>
          <button
            type="button"
            className="icon-button small"
            aria-label={words.dismiss}
            onClick={() => dismiss(notice.key)}
          >
            <Cross />
          </button>
        </p>
      ))}
    </div>
  );
}

/** On a narrow window the panel is a sheet; this is its handle, with the state in one line. */
function TaskPill(): ReactNode {
  const language = useLanguage();
  const log = useAtelier((state) => state.log);
  const selected = useAtelier((state) => state.selectedTask);
  const beyond = useAtelier((state) => state.beyond);
  const task = shownTask(log, selected, beyond);
  if (!task) return null;
  return (
    <button type="button" className="task-pill" onClick={() => selectTask(task.id)}>
      <Mark name={taskMark(task)} />
      <span className="task-pill-words">
        <strong dir="auto">{task.title}</strong>
        <span dir="auto">{taskSentence(task, language)}</span>
      </span>
      <ChevronRight />
    </button>
  );
}

function Panel({ isWide }: { isWide: boolean }): ReactNode {
  const { words } = useLanguage();
  const log = useAtelier((state) => state.log);
  const selected = useAtelier((state) => state.selectedTask);
  const beyond = useAtelier((state) => state.beyond);
  const isOpen = useAtelier((state) => state.panelOpen);
  const task = shownTask(log, selected, beyond);
  if (!task) return null;
  if (isWide) {
    return (
      <aside className="panel" aria-label={words.panel.label}>
        <Boundary key={task.id} words={words} isPart>
          <TaskDetails task={task} />
        </Boundary>
      </aside>
    );
  }
  if (!isOpen) return null;
  return (
    <Dialog title={words.panel.label} className="sheet" hideTitle onClose={closePanel}>
      <Boundary key={task.id} words={words} isPart>
        <TaskDetails task={task} />
      </Boundary>
    </Dialog>
  );
}

function TitleBadge(): null {
  const count = useAtelier((state) => needsYou(state.log).length);
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Atelier` : "Atelier";
  }, [count]);
  return null;
}
