import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useLanguage } from "../i18n";
import { client, COMPOSER_ID } from "../state/app";
import { MAX_CHARACTERS } from "../state/client";
import { store, useAtelier } from "../state/store";
import { ArrowUp, Cross } from "./icons";

const COUNT_FROM = 8_000;
const MAX_HEIGHT = 260;
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content");

/** Where the person writes; never disabled, whatever the agent or the network does. */
export function Composer({ isFirst }: { isFirst: boolean }): ReactNode {
  const { words, formats } = useLanguage();
  const draft = useAtelier((state) => state.draft);
  const target = useAtelier((state) => state.target);
  const field = useRef<HTMLTextAreaElement>(null);

  const size = draft.length > COUNT_FROM ? Array.from(draft).length : draft.length;
  const isTooLong = size > MAX_CHARACTERS;
  const limit = formats.number(MAX_CHARACTERS);
  const placeholder =
    target?.kind === "task"
      ? words.composer.placeholderTask
      : isFirst
        ? words.composer.placeholderFirst
        : words.composer.placeholder;

  // ready to type at a desk; on a touch screen the keyboard would cover what there is to see
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, []);

  useEffect(() => {
    const element = field.current;
    if (!element || GROWS_BY_ITSELF) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`;
  }, [draft]);

  function send(): void {
    const text = draft.trim();
    if (text === "" || isTooLong) return;
    client.send(text, target);
    store.set(() => ({ draft: "", target: null }));
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // 229: Safari ends a composition before the Enter that confirmed it arrives
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className={`composer${isTooLong ? " too-long" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {target && (
        <p className="target">
          <span dir="auto">{words.composer.about(target.label)}</span>
          <button
            type="button"
            className="icon-button small"
            aria-label={words.composer.removeTarget}
            title={words.composer.removeTarget}
            onClick={() => store.set(() => ({ target: null }))}
          >
            <Cross />
          </button>
        </p>
      )}
      <div className="composer-row">
        <textarea
          ref={field}
          id={COMPOSER_ID}
          value={draft}
          rows={1}
          dir="auto"
          enterKeyHint="send"
          aria-label={words.composer.label}
          aria-describedby={size > COUNT_FROM ? "composer-count" : "composer-hint"}
          aria-invalid={isTooLong}
          placeholder={placeholder}
          onChange={(event) => {
            const text = event.target.value;
            store.set(() => ({ draft: text }));
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="send"
          aria-label={words.composer.send}
          title={words.composer.send}
          aria-disabled={draft.trim() === "" || isTooLong}
        >
          <ArrowUp />
        </button>
      </div>
      {size > COUNT_FROM ? (
        <p
          id="composer-count"
          className={isTooLong ? "count problem" : "count"}
          role={isTooLong ? "alert" : undefined}
        >
          {isTooLong
            ? words.composer.tooLong(limit)
            : words.composer.count(formats.number(size), limit)}
        </p>
      ) : (
        <p id="composer-hint" className="hint">
          {words.composer.hint}
        </p>
      )}
    </form>
  );
}
