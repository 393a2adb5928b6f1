import { type ReactNode, useId, useState } from "react";
import { useLanguage } from "../i18n";

interface InWordsProps {
  label: string;
  send: string;
  isSending: boolean;
  onSend: (note: string) => void;
  onCancel: () => void;
  /** Whether nothing can be sent without words. */
  isRequired?: boolean;
}

/** An answer that needs words: a field, a way to send it and a way back. */
export function InWords({
  label,
  send,
  isSending,
  onSend,
  onCancel,
  isRequired = false,
}: InWordsProps): ReactNode {
  const { words } = useLanguage();
  const [text, setText] = useState("");
  const id = useId();
  const note = text.trim();
  return (
    <form
      className="in-words"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(note);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        dir="auto"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="buttons">
        <button
          type="submit"
          className="button primary"
          disabled={isSending || (isRequired && note === "")}
        >
          {isSending ? words.approval.sending : send}
        </button>
        <button type="button" className="button quiet" disabled={isSending} onClick={onCancel}>
          {words.approval.cancel}
        </button>
      </div>
    </form>
  );
}
