import type { ReactNode } from "react";
import { useLanguage } from "../i18n";
import { COMPOSER_ID } from "../state/app";
import { store } from "../state/store";

/** The first screen: an invitation, and three briefs to start from. */
export function Empty(): ReactNode {
  const { words } = useLanguage();
  return (
    <section className="empty">
      <h2>{words.empty.title}</h2>
      <p>{words.empty.lead}</p>
    </section>
  );
}

/** Pressing an example writes it into the field; it is sent only by the person. */
export function Examples(): ReactNode {
  const { words } = useLanguage();
  const use = (brief: string): void => {
    store.set(() => ({ draft: brief }));
    document.getElementById(COMPOSER_ID)?.focus();
  };
  return (
    <section className="examples" aria-label={words.empty.examplesLabel}>
      <ul>
        {words.empty.examples.map((example) => (
          <li key={example.title}>
            <button type="button" onClick={() => use(example.brief)}>
              <strong>{example.title}</strong>
              <span>{example.brief}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
