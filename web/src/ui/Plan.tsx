import type { ReactNode } from "react";
import type { ChecklistItem, Job, Task } from "../contract";
import { useLanguage } from "../i18n";
import { useAtelier } from "../state/store";
import { contactSheet, wordsOf } from "../state/view";
import { gapsOf, standing, stepSentence } from "../text/states";
import { Bar } from "./Bar";
import { ContactSheet } from "./ContactSheet";
import { Mark, markOf, type MarkName } from "./icons";

/** The plan with n of m for every step, and the pictures of a step in their places. */
export function Plan({ task, items }: { task: Task; items: ChecklistItem[] }): ReactNode {
  const language = useLanguage();
  const log = useAtelier((state) => state.log);
  return (
    <ol className="plan">
      {items.map((item) => (
        <li key={item.key} className={`is-${standing(task, item)}`}>
          <Mark name={markOf(standing(task, item))} />
          <div className="plan-step">
            <p>
              <span className="step-title" dir="auto">
                {item.title}
              </span>
              <span className="step-state">{stepSentence(task, item, language)}</span>
            </p>
            {item.expected > 1 && item.status !== "done" && item.status !== "todo" && (
              <Bar
                value={item.done / item.expected}
                words={stepSentence(task, item, language)}
                className={item.failed > 0 ? "has-failed" : ""}
              />
            )}
            {gapsOf(item, language).map((gap) => (
              <p key={gap} className="step-gap" dir="auto">
                {gap}
              </p>
            ))}
            <ContactSheet cells={contactSheet(log, task, item)} size="large" />
          </div>
        </li>
      ))}
    </ol>
  );
}

const JOB_MARKS: Record<Job["status"], MarkName> = {
  queued: "todo",
  running: "doing",
  succeeded: "done",
  failed: "failed",
  cancelled: "stopped",
  unknown: "waiting",
};

/** Renders: what is out, how far it is, what it cost. */
export function Jobs({ task }: { task: Task }): ReactNode {
  const { words, formats } = useLanguage();
  const { items, succeeded, total } = task.jobs;
  const order: Job["status"][] = ["running", "queued", "unknown", "failed", "succeeded", "cancelled"];
  const sorted = [...items].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <details className="jobs">
      <summary>
        {words.panel.jobsSummary(formats.number(succeeded), formats.number(total))}
      </summary>
      <ul>
        {sorted.map((job) => (
          <li key={job.id} className={`is-${job.status}`}>
            <Mark name={JOB_MARKS[job.status]} />
            <div>
              <p>
                <span dir="auto">{job.title || job.operation}</span>
                <span className="step-state">
                  {words.job[job.status]}
                  {job.status === "running" && job.progress !== null
                    ? ` ${formats.percent(job.progress)}`
                    : ""}
                </span>
              </p>
              {job.status === "running" && job.progress !== null && (
                <Bar value={job.progress} words={words.job.running} />
              )}
              {job.error && (
                <p className="problem" dir="auto">
                  {wordsOf(job.error)}
                </p>
              )}
            </div>
            <span className="job-price">{jobPrice(job, task, formats.money)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function jobPrice(
  { price }: Job,
  { budget }: Task,
  money: (micros: number, currency: string) => string,
): string {
  const micros = price.settled_micros || price.held_micros;
  return micros === 0 ? "" : money(micros, budget.currency);
}
