import { type ReactNode, useEffect, useState } from "react";
import type { More, Task } from "../contract";
import { useLanguage } from "../i18n";
import { api } from "../net/api";
import { ask, client, tell } from "../state/app";
import { useAtelier } from "../state/store";
import { shortOf } from "../state/view";
import { amountOf, toMicros } from "../text/format";
import { HOUR_S, toSeconds, toWhole } from "../text/limits";
import { Amount } from "./Amount";
import { useAttempt } from "./CorrectDialog";
import { Dialog } from "./Dialog";
import { Problem } from "./Problem";

interface MoreDialogProps {
  task: Task;
  of: "limit" | "budget";
  onClose: () => void;
}

/** Gives one task more than it has: rounds and time, or money. */
export function MoreDialog({ task, of, onClose }: MoreDialogProps): ReactNode {
  const { words } = useLanguage();
  const { more } = words;
  const { isSending, problem, attempt } = useAttempt(onClose);
  const [isInvalid, setInvalid] = useState(false);
  const isMoney = of === "budget";

  function give(given: More | null): void {
    const isWhole = given !== null && Object.values(given).some((amount) => amount > 0);
    setInvalid(!isWhole);
    if (!isWhole) return;
    void attempt(async () => {
      await client.more(task.id, given);
      tell(isMoney ? more.added(task.title) : more.done(task.title));
    });
  }

  return (
    <Dialog
      title={isMoney ? more.budgetTitle(task.title) : more.title(task.title)}
      className="question"
      onClose={onClose}
    >
      {isMoney ? (
        <Money task={task} isSending={isSending} onGive={give} />
      ) : (
        <Work task={task} isSending={isSending} onGive={give} />
      )}
      <Problem text={isInvalid ? more.invalid : problem} />
    </Dialog>
  );
}

interface FieldsProps {
  task: Task;
  isSending: boolean;
  onGive: (given: More | null) => void;
}

const SOME_ROUNDS = 100;

/** Rounds and hours: what has run out is offered once more as much as the settings give. */
function Work({ task, isSending, onGive }: FieldsProps): ReactNode {
  const { words, formats } = useLanguage();
  const { more } = words;
  const [facts, setFacts] = useState<string[]>([]);
  const [rounds, setRounds] = useState("");
  const [hours, setHours] = useState("0");
  useEffect(() => {
    Promise.all([api.verdict(task.id), api.limits()]).then(
      ([{ limits, verdicts }, granted]) => {
        const used = verdicts[0]?.facts?.rounds ?? 0;
        const isLate = limits.worked_seconds >= limits.seconds;
        const inHours = (seconds: number): string => formats.number(tenths(seconds / HOUR_S));
        setFacts([
          more.roundsUsed(formats.number(used), formats.number(limits.rounds)),
          more.hoursUsed(inHours(limits.worked_seconds), inHours(limits.seconds)),
        ]);
        setRounds(String(isLate && used < limits.rounds ? 0 : granted.rounds));
        if (isLate) setHours(String(tenths(granted.seconds / HOUR_S)));
      },
      () => setRounds(String(SOME_ROUNDS)),
    );
  }, [task.id]);
  return (
    <Fields
      facts={facts}
      send={more.send}
      isSending={isSending}
      onSend={() => {
        const [many, seconds] = [toWhole(rounds), toSeconds(hours)];
        onGive(many === null || seconds === null ? null : { rounds: many, seconds });
      }}
    >
      <Amount label={more.rounds} value={rounds} onChange={setRounds} />
      <Amount label={more.hours} value={hours} onChange={setHours} />
    </Fields>
  );
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Money: what the open questions need beyond what is left is offered. */
function Money({ task, isSending, onGive }: FieldsProps): ReactNode {
  const { words, formats } = useLanguage();
  const { more } = words;
  const { currency, limit_micros: limit, settled_micros: settled, held_micros: held } = task.budget;
  const free = Math.max(limit - settled - held, 0);
  const short = useAtelier(({ log }) => shortOf(log, task));
  const [amount, setAmount] = useState(short > 0 ? amountOf(short, formats.locale) : "");
  return (
    <Fields
      facts={[
        more.free(formats.money(free, currency)),
        ...(short > 0 ? [more.short(formats.moneyAtMost(short, currency))] : []),
      ]}
      send={more.budgetSend}
      isSending={isSending}
      onSend={() => {
        const micros = toMicros(amount);
        onGive(micros === null ? null : { budget_micros: micros });
      }}
      other={{ words: more.allowances, onPress: () => ask({ kind: "settings" }) }}
    >
      <Amount label={more.amount(currency)} value={amount} onChange={setAmount} />
    </Fields>
  );
}

function Fields({
  facts,
  send,
  isSending,
  onSend,
  other,
  children,
}: {
  facts: string[];
  send: string;
  isSending: boolean;
  onSend: () => void;
  other?: { words: string; onPress: () => void };
  children: ReactNode;
}): ReactNode {
  const { words } = useLanguage();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {facts.length > 0 && (
        <ul className="dialog-facts">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <div className="amounts">{children}</div>
      <div className="buttons">
        <button type="submit" className="button primary" disabled={isSending}>
          {isSending ? words.approval.sending : send}
        </button>
        {other && (
          <button type="button" className="button quiet" onClick={other.onPress}>
            {other.words}
          </button>
        )}
      </div>
    </form>
  );
}
