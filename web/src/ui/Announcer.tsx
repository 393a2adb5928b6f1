import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLanguage } from "../i18n";
import type { Log } from "../state/log";
import { useAtelier } from "../state/store";
import { needsYou } from "../state/view";
import { taskSentence } from "../text/states";

/** Says what has changed to those who do not see it: questions, states, deliveries, finished replies. */
export function Announcer(): ReactNode {
  const language = useLanguage();
  const log = useAtelier((state) => state.log);
  const before = useRef<Log | null>(null);
  const [said, setSaid] = useState("");

  useEffect(() => {
    const previous = before.current;
    before.current = log;
    if (!previous || previous.epoch !== log.epoch || previous.epoch === null) return;
    const { announce } = language.words;
    const news: string[] = [];
    for (const approval of needsYou(log)) {
      if (!(approval.id in previous.approvals)) news.push(announce.needsYou(approval.title));
    }
    for (const task of Object.values(log.tasks)) {
      const known = previous.tasks[task.id];
      if (known === task) continue;
      if (task.delivery?.status === "delivered" && known?.delivery?.status !== "delivered") {
        news.push(announce.delivered(task.title));
      } else if (known?.status !== task.status) {
        news.push(announce.task(task.title, taskSentence(task, language)));
      }
    }
    const answered = Object.values(log.messages).some(
      (message) =>
        message.role === "assistant" &&
        message.status === "complete" &&
        previous.messages[message.id]?.status !== "complete",
    );
    if (answered) news.push(announce.reply);
    if (news.length > 0) setSaid(news.join(" "));
  }, [log, language]);

  return (
    <div className="sr-only" aria-live="polite" role="status">
      {said}
    </div>
  );
}
