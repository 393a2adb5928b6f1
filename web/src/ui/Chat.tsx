import { Fragment, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLanguage } from "../i18n";
import { useAtelier } from "../state/store";
import { unannounced } from "../state/live";
import { replyInTheMaking } from "../state/log";
import { type Entry, goesOn, timeline } from "../state/view";
import { ApprovalCard } from "./ApprovalCard";
import { Boundary } from "./Boundary";
import { AssistantMessage, OutgoingMessage, UserMessage } from "./Bubble";
import { DeliveryCard } from "./DeliveryCard";
import { ArrowDown } from "./icons";
import { useNow } from "./now";
import { TaskCard } from "./TaskCard";

const NEAR_END = 120;

/** The conversation with its cards in place; it follows the newest until the person scrolls away. */
export function Chat(): ReactNode {
  const { words, formats } = useLanguage();
  const log = useAtelier((state) => state.log);
  const outbox = useAtelier((state) => state.outbox);
  const entries = useMemo(() => timeline(log), [log]);
  const { scroller, content, isAway, toEnd } = useFollowing(outbox.length);

  return (
    <div className="chat-scroll" ref={scroller} tabIndex={-1}>
      <section className="chat" ref={content} aria-label={words.chat.label}>
        <h2 className="sr-only">{words.chat.label}</h2>
        {entries.map((entry, place) => {
          const day = formats.day(entry.at);
          const previous = entries[place - 1];
          const isNewDay = previous ? formats.day(previous.at) !== day : false;
          return (
            <Fragment key={entry.key}>
              {isNewDay && <h2 className="day">{day}</h2>}
              <Boundary words={words} isPart>
                <Row entry={entry} previous={previous} />
              </Boundary>
            </Fragment>
          );
        })}
        <Writing />
        {outbox.map((item) => (
          <OutgoingMessage key={item.clientId} item={item} />
        ))}
      </section>
      {isAway && (
        <button type="button" className="to-newest" onClick={toEnd}>
          <ArrowDown />
          {words.chat.newest}
        </button>
      )}
    </div>
  );
}

/** Replies as they are written; each takes its place in the log when it is complete. */
function Writing(): ReactNode {
  const live = useAtelier((state) => state.live);
  const known = useAtelier((state) => state.log.messages);
  const now = useNow();
  const at = new Date(now).toISOString();
  return unannounced(live, known, now).map((id) => (
    <AssistantMessage key={id} message={replyInTheMaking({ message_id: id }, at)} />
  ));
}

function Row({ entry, previous }: { entry: Entry; previous: Entry | undefined }): ReactNode {
  switch (entry.kind) {
    case "message":
      return entry.message.role === "user" ? (
        <UserMessage message={entry.message} />
      ) : (
        <AssistantMessage message={entry.message} goesOn={goesOn(previous, entry)} />
      );
    case "task":
      return <TaskCard task={entry.task} />;
    case "approval":
      return <ApprovalCard approval={entry.approval} />;
    case "delivery":
      return <DeliveryCard task={entry.task} delivery={entry.delivery} />;
  }
}

/** Keep the end in view while it grows, unless the person is reading further up. */
function useFollowing(sent: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = (): void => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    let lastTop = element.scrollTop;
    const onScroll = (): void => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      // far from the end without having moved up: it is the content that grew, not the person who left
      if (rest < NEAR_END) follows.current = true;
      else if (element.scrollTop < lastTop) follows.current = false;
      lastTop = element.scrollTop;
      setAway(!follows.current);
    };
    const observer = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);

  // one's own message is always shown
  useLayoutEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);

  return { scroller, content, isAway, toEnd };
}
