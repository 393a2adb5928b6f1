import { type ReactNode, useEffect, useId, useState } from "react";
import { type Autonomy, type Limits, type Settings, STEP_KINDS, type StepKind } from "../contract";
import { LANGUAGE_NAMES, useLanguage, wantedLanguage, wantLanguage } from "../i18n";
import { api } from "../net/api";
import { useAtelier } from "../state/store";
import { amountOf, toMicros } from "../text/format";
import { limitsOf, typedOf } from "../text/limits";
import { AccountTable } from "./Account";
import { Amount } from "./Amount";
import { Dialog } from "./Dialog";
import { LimitFields } from "./LimitFields";

const LEVELS: Autonomy[] = ["cautious", "balanced", "free"];

/** What the owner allows, in which language the page speaks, and what has been spent. */
export function SettingsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { words } = useLanguage();
  const [saved, setSaved] = useState<[Settings, Limits] | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    Promise.all([api.settings(), api.limits()]).then(setSaved, () => setBroken(true));
  }, []);
  return (
    <Dialog title={words.settings.title} className="settings" onClose={onClose}>
      {isBroken && <p className="problem">{words.panel.loadFailed}</p>}
      {saved && <Form saved={saved[0]} limits={saved[1]} />}
      <PageLanguage />
      <AccountTable />
    </Dialog>
  );
}

type Saving = "" | "sending" | "saved" | "failed" | "invalid" | "beyond";

function Form({ saved, limits }: { saved: Settings; limits: Limits }): ReactNode {
  const { words, formats } = useLanguage();
  const currency = useAtelier((state) => state.log.workspace?.currency ?? "USD");
  const name = useId();
  const [draft, setDraft] = useState(saved);
  const [perCall, setPerCall] = useState(amountOf(saved.per_call_allowance_micros, formats.locale));
  const [daily, setDaily] = useState(amountOf(saved.daily_allowance_micros, formats.locale));
  const [typed, setTyped] = useState(() => typedOf(limits, formats.locale));
  const [saving, setSaving] = useState<Saving>("");
  const { settings: s } = words;
  const change = (patch: Partial<Settings>): void => {
    setDraft({ ...draft, ...patch });
    setSaving("");
  };

  async function save(): Promise<void> {
    const each = toMicros(perCall);
    const day = toMicros(daily);
    if (each === null || day === null) {
      setSaving("invalid");
      return;
    }
    const allowed = limitsOf(typed);
    if (allowed === null) {
      setSaving("beyond");
      return;
    }
    setSaving("sending");
    try {
      const answer = await api.saveSettings({
        ...draft,
        per_call_allowance_micros: each,
        daily_allowance_micros: day,
      });
      await api.saveLimits(allowed);
      setDraft(answer);
      setSaving("saved");
    } catch {
      setSaving("failed");
    }
  }

  return (
    <form
      className="settings-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset className="options">
        <legend>{s.autonomy}</legend>
        {LEVELS.map((level) => (
          <label key={level}>
            <input
              type="radio"
              name={name}
              checked={draft.autonomy === level}
              onChange={() => change({ autonomy: level })}
            />
            <span>
              <strong>{s.levels[level].name}</strong>
              <small>{s.levels[level].detail}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="amounts">
        <Amount
          label={s.perCall(currency)}
          value={perCall}
          isInvalid={saving === "invalid" && toMicros(perCall) === null}
          onChange={(value) => {
            setPerCall(value);
            setSaving("");
          }}
        />
        <Amount
          label={s.daily(currency)}
          value={daily}
          isInvalid={saving === "invalid" && toMicros(daily) === null}
          onChange={(value) => {
            setDaily(value);
            setSaving("");
          }}
        />
      </div>
      <ReviewPoints
        points={draft.review_points}
        onChange={(review_points) => change({ review_points })}
      />
      <label className="tick">
        <input
          type="checkbox"
          checked={draft.accepts_deliveries}
          onChange={(event) => change({ accepts_deliveries: event.target.checked })}
        />
        {s.accepts}
      </label>
      <LimitFields
        typed={typed}
        isInvalid={saving === "beyond"}
        onChange={(patch) => {
          setTyped({ ...typed, ...patch });
          setSaving("");
        }}
      />
      <div className="buttons">
        <button type="submit" className="button primary" disabled={saving === "sending"}>
          {saving === "sending" ? words.approval.sending : s.save}
        </button>
        <p className={saving === "saved" ? "done" : "problem"} role="status">
          {saving === "saved" && s.saved}
          {saving === "failed" && s.failed}
          {saving === "invalid" && s.amountInvalid}
          {saving === "beyond" && s.limitInvalid}
        </p>
      </div>
    </form>
  );
}

function ReviewPoints({
  points,
  onChange,
}: {
  points: StepKind[];
  onChange: (points: StepKind[]) => void;
}): ReactNode {
  const { words } = useLanguage();
  const { settings: s } = words;
  return (
    <fieldset className="ticks">
      <legend>
        {s.review} <small>{s.reviewHint}</small>
      </legend>
      {STEP_KINDS.map((kind) => (
        <label key={kind} className="tick">
          <input
            type="checkbox"
            checked={points.includes(kind)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...points, kind] : points.filter((each) => each !== kind),
              )
            }
          />
          {s.kinds[kind]}
        </label>
      ))}
    </fieldset>
  );
}

function PageLanguage(): ReactNode {
  const { words } = useLanguage();
  return (
    <label className="amount page-language">
      <span>{words.settings.language}</span>
      <select
        value={wantedLanguage() ?? ""}
        onChange={(event) => {
          wantLanguage(event.target.value || null);
          location.reload();
        }}
      >
        <option value="">{words.settings.languageAuto}</option>
        {Object.entries(LANGUAGE_NAMES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
