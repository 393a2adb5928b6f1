import { memo, type ReactNode, useMemo } from "react";
import type { Artifact, Delivery, Task } from "../contract";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n";
import { downloadUrl } from "../net/api";
import { openReport } from "../state/app";
import { useAtelier } from "../state/store";
import { acceptanceOf, objectsOf, saysIt, sortWorks, wordsOf } from "../state/view";
import { clock } from "../text/format";
import { Acceptance } from "./Acceptance";
import { Film } from "./Film";
import { Download, Mark, Sparse } from "./icons";
import { Models } from "./Model";
import { Pictures } from "./Pictures";
import { Prose } from "./Prose";

/** The finished work in the chat: it plays here, and what is not perfect is said here too. */
export const DeliveryCard = memo(function DeliveryCard({
  task,
  delivery,
}: {
  task: Task;
  delivery: Delivery;
}): ReactNode {
  const language = useLanguage();
  const { words } = language;
  const log = useAtelier((state) => state.log);
  const works = useMemo(
    () => sortWorks(objectsOf(log, task), delivery),
    [log, task, delivery],
  );
  const isDelivered = delivery.status === "delivered";
  const isAsked = acceptanceOf(task)?.state === "awaiting";
  const isSaid = useMemo(() => saysIt(log, task, delivery.summary), [log, task, delivery]);
  return (
    <article className={`card delivery is-${delivery.status}`} aria-label={words.delivery.report}>
      {works.film && <Film film={works.film} poster={works.poster} captions={works.captions} />}
      <div className="delivery-body">
        <p className="card-label">
          <Mark name={isDelivered ? "done" : "failed"} />
          <span>{isDelivered ? words.delivery.delivered : words.delivery.refused}</span>
          {works.film && <span>{filmFacts(works.film, language)}</span>}
        </p>
        <h3 dir="auto">{task.title}</h3>
        {delivery.summary && !isSaid && <Prose text={delivery.summary} lang={task.language} />}
        {!works.film && works.models.length > 0 && <Models models={works.models} />}
        {!works.film && works.pictures.length > 0 && <Pictures pictures={works.pictures} />}
        <Caveats delivery={delivery} />
        <div className="buttons">
          {works.film && (
            <a className={isAsked ? "button" : "button primary"} href={downloadUrl(works.film)} download>
              <Download />
              {words.panel.download}
            </a>
          )}
          <button type="button" className="button" onClick={() => openReport(task.id)}>
            <Sparse />
            {words.delivery.report}
          </button>
        </div>
        <Acceptance task={task} />
      </div>
    </article>
  );
});

const MOST_SAID = 3;

/** What a person should know before using it: what is missing, the rest in counts; the report has it all. */
function Caveats({ delivery }: { delivery: Delivery }): ReactNode {
  const { words, formats } = useLanguage();
  const { counts } = words.delivery;
  const told: string[] = [];
  const add = (list: unknown[], say: (n: number, shown: string) => string): void => {
    if (list.length > 0) told.push(say(list.length, formats.number(list.length)));
  };
  add(delivery.findings, counts.findings);
  const missing = delivery.missing ?? [];
  if (missing.length > MOST_SAID) add(missing, counts.missing);
  else told.push(...missing.map(wordsOf));
  add(delivery.replaced ?? [], counts.replaced);
  if (told.length === 0) told.push(words.delivery.clean);
  return (
    <p className="facts">
      {told.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}

function filmFacts(film: Artifact, { formats }: Language): string {
  const { duration_s: duration, width, height } = film.meta;
  return [
    typeof duration === "number" ? clock(duration) : null,
    typeof width === "number" && typeof height === "number" ? `${width} × ${height}` : null,
    film.size > 0 ? formats.size(film.size) : null,
  ]
    .filter(Boolean)
    .join(" · ");
}
