import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { newKey } from "../../../client/src/index.js";
import { number } from "../../shared/format.js";
import { t } from "../../texts/bulk.js";
import { errorText } from "../../texts/problems.js";
import { type BulkAction, type Outcome, perform } from "./bulk-action.js";
import { AskForm, Dialog } from "./dialog.js";
import type { Selection } from "./selection.js";
import { DataTable } from "./table.js";

/** Something that is done with rows: what became of each so far. */
interface Run<R> {
  action: BulkAction<R>;
  rows: R[];
  values: Record<string, string>;
  outcomes: Map<string, Outcome>;
  isRunning: boolean;
}

interface BulkDialogProps<R> {
  action: BulkAction<R>;
  /** The selected rows that it fits. */
  rows: R[];
  of: Selection<R>;
  to: ((row: R) => string) | undefined;
  /** Called with the rows with which it was done. */
  close: (done: R[]) => void;
}

/** Asks, does it with row after row, and says what became of each: refused ones can be tried again. */
export function BulkDialog<R>({ action, rows, of, to, close }: BulkDialogProps<R>) {
  const client = useQueryClient();
  const [run, setRun] = useState<Run<R>>();
  const stopping = useRef<AbortController>(undefined);
  const keys = useRef(new Map<string, string>());
  useEffect(() => () => stopping.current?.abort(), []);

  const begin = async (next: Omit<Run<R>, "isRunning">, todo: R[]) => {
    const stop = new AbortController();
    stopping.current = stop;
    setRun({ ...next, isRunning: true });
    const keyOf = (some: R[]) => {
      const name = `${next.action.label} ${some.map(of.idOf)}`;
      const key = keys.current.get(name) ?? newKey();
      keys.current.set(name, key);
      return key;
    };
    const tell = (row: R, outcome: Outcome) =>
      setRun((before) => before && { ...before, outcomes: new Map(before.outcomes).set(of.idOf(row), outcome) });
    await perform(next.action, todo, next.values, { idOf: of.idOf, keyOf, tell, stopped: stop.signal });
    setRun((before) => before && { ...before, isRunning: false });
    void client.invalidateQueries();
  };

  const isDone = (row: R) => run?.outcomes.get(of.idOf(row))?.isDone;
  const leave = () => {
    stopping.current?.abort();
    close(run?.action === action ? rows.filter(isDone) : []);
  };
  const { label: name, fields, isDangerous, undo } = action;
  const others = of.rows.length - rows.length;
  return (
    <Dialog isOpen close={leave} title={t("question", { action: name, count: number(rows.length) })}>
      {!run && (
        <AskForm
          verb={name}
          submit={(values) => void begin({ action, rows, values, outcomes: new Map() }, rows)}
          close={leave}
          isDangerous={isDangerous}
        >
          {others > 0 && <Text size="sm">{t("leftOut", { count: number(others) })}</Text>}
          {fields}
        </AskForm>
      )}
      {run?.isRunning && (
        <Running done={run.outcomes.size} of={run.rows.length} stop={() => stopping.current?.abort()} />
      )}
      {run && !run.isRunning && (
        <Stack>
          <Outcomes run={run} isUndo={run.action !== action} of={of} to={to} />
          <Group justify="end">
            {run.rows.some((row) => !isDone(row)) && (
              <Button
                variant="default"
                onClick={() => {
                  const todo = run.rows.filter((row) => !isDone(row));
                  const outcomes = new Map([...run.outcomes].filter(([, outcome]) => outcome.isDone));
                  void begin({ ...run, outcomes }, todo);
                }}
              >
                {t("againOf", { count: number(run.rows.filter((row) => !isDone(row)).length) })}
              </Button>
            )}
            {undo && run.action === action && rows.some(isDone) && (
              <Button
                variant="default"
                onClick={() => {
                  const back: BulkAction<R> = { label: t("undo"), each: (row, _, api) => undo(row, api) };
                  const done = rows.filter(isDone);
                  void begin({ action: back, rows: done, values: {}, outcomes: new Map() }, done);
                }}
              >
                {t("undo")}
              </Button>
            )}
            <Button onClick={leave} ref={focused}>
              {t("close")}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

/** What had the focus is gone. */
const focused = (element: HTMLElement | null) => element?.focus();

const Running = ({ done, of, stop }: { done: number; of: number; stop: () => void }) => (
  <Stack>
    <Progress value={(100 * done) / of} aria-label={t("progress")} />
    <Group justify="space-between">
      <Text size="sm">{t("progressOf", { done: number(done), all: number(of) })}</Text>
      <Button variant="default" onClick={stop} ref={focused}>
        {t("stop")}
      </Button>
    </Group>
  </Stack>
);

interface OutcomesProps<R> {
  run: Run<R>;
  isUndo: boolean;
  of: Selection<R>;
  to: ((row: R) => string) | undefined;
}

/** How many were done and refused, and of each what became of it: first those with which nothing was done. */
function Outcomes<R>({ run: { rows, outcomes }, isUndo, of, to }: OutcomesProps<R>) {
  const all = rows.map((row) => ({ row, name: of.nameOf(row), outcome: outcomes.get(of.idOf(row)) }));
  const done = all.filter(({ outcome }) => outcome?.isDone);
  const refused = all.filter(({ outcome }) => outcome?.isDone === false);
  const rest = all.filter(({ outcome }) => !outcome);
  const sayOf = (outcome: Outcome | undefined) => {
    if (!outcome) return t("isNotBegun");
    return outcome.isDone ? (outcome.said ?? t(isUndo ? "isUndone" : "isDone")) : errorText(outcome.error);
  };
  const counts = [
    t(isUndo ? "undone" : "done", { count: number(done.length) }),
    ...(refused.length > 0 ? [t("refused", { count: number(refused.length) })] : []),
    ...(rest.length > 0 ? [t("notBegun", { count: number(rest.length) })] : []),
  ];
  return (
    <>
      <Text role="status" fw={600}>
        {counts.join(" · ")}
      </Text>
      <div className="outcomes">
        <DataTable
          title={t("outcome")}
          rows={[...refused, ...rest, ...done]}
          {...(to && { to: ({ row }: { row: R }) => to(row) })}
          columns={[
            { field: "name", title: t("name") },
            { field: "outcome", title: t("outcome"), show: ({ outcome }) => sayOf(outcome) },
          ]}
        />
      </div>
    </>
  );
}
