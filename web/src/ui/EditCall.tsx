import { type ReactNode, useId, useState } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import type { Answering } from "../state/store";
import { changesOf, type Field, fieldsOf, type FieldName, type Typed } from "../text/edits";
import { Warning } from "./icons";

interface EditCallProps {
  approval: Approval;
  answering: Answering | undefined;
  onSend: (edited: Record<string, unknown>) => void;
  onCancel: () => void;
}

/** What a paid call is given, to be changed before the yes; what was refused stays as it was typed. */
export function EditCall({ approval, answering, onSend, onCancel }: EditCallProps): ReactNode {
  const { words, formats } = useLanguage();
  const [typed, setTyped] = useState<Typed>({});
  const isSending = answering?.state === "sending";
  const given = approval.arguments ?? {};
  const changes = changesOf(given, typed);
  const { price } = approval;
  const refusal =
    answering?.state === "refused" && answering.decision === "edit" ? answering : undefined;
  return (
    <form
      className="in-words"
      aria-label={words.approval.editLabel}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend(changes);
      }}
    >
      <div className="fields">
        {fieldsOf(given).map((field, place) => (
          <FieldInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? field.value}
            isFirst={place === 0}
            isWrong={refusal !== undefined && new RegExp(`\\b${field.name}\\b`).test(refusal.detail)}
            onType={(name, text) => setTyped((before) => ({ ...before, [name]: text }))}
          />
        ))}
      </div>
      {price && (
        <p className="edit-hint">
          {words.approval.editHint(formats.moneyAtMost(price.maximum_micros, price.currency))}
        </p>
      )}
      {refusal && (
        <p className="problem" role="alert">
          <Warning className="small" />
          <span dir="auto">{refusal.detail || words.approval.problem.other}</span>
        </p>
      )}
      <div className="buttons">
        <button
          type="submit"
          className="button primary"
          disabled={isSending || Object.keys(changes).length === 0}
        >
          {isSending ? words.approval.sending : words.approval.editSend}
        </button>
        <button type="button" className="button quiet" disabled={isSending} onClick={onCancel}>
          {words.approval.cancel}
        </button>
      </div>
    </form>
  );
}

interface FieldInputProps {
  field: Field;
  value: string;
  isFirst: boolean;
  isWrong: boolean;
  onType: (name: FieldName, text: string) => void;
}

function FieldInput({ field, value, isFirst, isWrong, onType }: FieldInputProps): ReactNode {
  const { words } = useLanguage();
  const id = useId();
  const { name, kind } = field;
  const shared = {
    id,
    value,
    autoFocus: isFirst,
    "aria-invalid": isWrong,
    onChange: (event: { target: { value: string } }) => onType(name, event.target.value),
  };
  return (
    <div className={kind === "number" ? "field" : "field is-wide"}>
      <label htmlFor={id}>{words.approval.field[name]}</label>
      {kind === "passage" ? (
        <textarea {...shared} rows={4} dir="auto" />
      ) : kind === "number" ? (
        <input {...shared} type="number" step="any" inputMode="decimal" />
      ) : (
        <input {...shared} type="text" dir="auto" />
      )}
    </div>
  );
}
