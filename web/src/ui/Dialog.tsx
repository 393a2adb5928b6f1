import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useLanguage } from "../i18n";
import { Cross } from "./icons";

interface DialogProps {
  title: string;
  onClose: () => void;
  className?: string;
  children: ReactNode;
  /** Keys that mean something inside, beside Escape. */
  onKey?: (key: string) => void;
  hideTitle?: boolean;
}

/** A native modal dialog: focus stays inside, Escape and the backdrop close it, focus returns after. */
export function Dialog({
  title,
  onClose,
  className = "",
  children,
  onKey,
  hideTitle = false,
}: DialogProps): ReactNode {
  const { words } = useLanguage();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // as a layout effect it still closes inside the document, so the browser gives the focus back
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);

  return (
    <dialog
      ref={element}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
      onKeyDown={(event) => onKey?.(event.key)}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId} className={hideTitle ? "sr-only" : ""} dir="auto">
            {title}
          </h2>
          <button type="button" className="icon-button" onClick={onClose} aria-label={words.close}>
            <Cross />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
