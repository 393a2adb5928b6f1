import { type ReactNode, useId } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import { useAtelier } from "../state/store";
import { taskWord } from "../text/states";

interface OptionsProps {
  approval: Approval;
  isSending: boolean;
}

/** Answers that are given by pressing one. */
export function Candidates({
  approval,
  isSending,
  onChoose,
}: OptionsProps & { onChoose: (choice: string) => void }): ReactNode {
  const language = useLanguage();
  const tasks = useAtelier((state) => state.log.tasks);
  return (
    <>
      <ul className="options">
        {approval.options.map((option) => (
          <li key={option.id}>
            <button type="button" disabled={isSending} onClick={() => onChoose(option.id)}>
              <strong dir="auto">{option.label}</strong>
              {option.detail && <small dir="auto">{option.detail}</small>}
              {tasks[option.id] && <small>{taskWord(tasks[option.id]!, language)}</small>}
            </button>
          </li>
        ))}
      </ul>
      {approval.kind === "route" && <p className="expiry">{language.words.approval.orType}</p>}
    </>
  );
}

/** Answers of which one is marked first and confirmed with the card's button. */
export function Choices({
  approval,
  isSending,
  chosen,
  onChange,
}: OptionsProps & { chosen: string | null; onChange: (choice: string) => void }): ReactNode {
  const name = useId();
  return (
    <fieldset className="options" disabled={isSending}>
      <legend className="sr-only">{approval.title}</legend>
      {approval.options.map((option) => (
        <label key={option.id}>
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={chosen === option.id}
            onChange={() => onChange(option.id)}
          />
          <span>
            <strong dir="auto">{option.label}</strong>
            {option.detail && <small dir="auto">{option.detail}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
