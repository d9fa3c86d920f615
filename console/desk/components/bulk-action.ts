import type { ReactNode } from "react";
import { type Api, underKey } from "../../shared/api.js";

type Values = Record<string, string>;

interface AnyBulkAction<R> {
  /** What the button says, and that of the dialog. */
  label: string;
  /** The fields of the dialog, each with a name. */
  fields?: ReactNode;
  /** Whether it makes sense for a row; the others of a selection are left as they are. */
  fits?: (row: R) => boolean;
  /** It takes something away: it deletes, cancels, voids or revokes. */
  isDangerous?: boolean;
}

/** Something that can be done with many rows of a list. */
export type BulkAction<R> = AnyBulkAction<R> &
  (
    | {
        /** Does it with one row, by a service that repeats it when no answer came; may give what there is to say. */
        each: (row: R, values: Values, api: Api) => Promise<unknown>;
        /** Takes it back; the row is as it was before. */
        undo?: (row: R, api: Api) => Promise<unknown>;
        together?: never;
        part?: never;
      }
    | {
        /** Does it with all of them in one request; gives the ids of those with which it was not done, and why. */
        together: (rows: R[], values: Values, api: Api) => Promise<Map<number, string> | undefined>;
        /** Of which rows one request can be: of one warehouse, for example. */
        part?: (row: R) => number;
        each?: never;
        undo?: never;
      }
  );

/** Takes records out of use, and into use again: each is the way back of the other. */
export const inUse = <R extends { is_active: boolean }>(
  labels: { on: string; off: string },
  put: (row: R, is_active: boolean, api: Api) => Promise<unknown>,
): BulkAction<R>[] => {
  const undo = (row: R, api: Api) => put(row, row.is_active, api);
  return [
    { label: labels.off, fits: (row) => row.is_active, each: (row, _, api) => put(row, false, api), undo },
    { label: labels.on, fits: (row) => !row.is_active, each: (row, _, api) => put(row, true, api), undo },
  ];
};

/** What became of a row. */
export type Outcome = { isDone: true; said?: string } | { isDone: false; error: unknown };

/** As many requests at a time: the service answers other people as well. */
const AT_A_TIME = 4;

/** Does something with each row, a few at a time, and tells of each; when it is stopped, no further one is begun. */
async function doEach<R>(
  rows: R[],
  act: (row: R) => Promise<unknown>,
  tell: (row: R, outcome: Outcome) => void,
  stopped: AbortSignal,
): Promise<void> {
  const rest = rows.values();
  const work = async () => {
    for (const row of rest) {
      if (stopped.aborted) return;
      await act(row).then(
        (said) => tell(row, { isDone: true, ...(typeof said === "string" && { said }) }),
        (error: unknown) => tell(row, { isDone: false, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** How the requests of a run are made, and where it is told what became of rows. */
interface Requests<R> {
  idOf: (row: R) => string;
  /** The key of the request for these rows. */
  keyOf: (rows: R[]) => string;
  tell: (row: R, outcome: Outcome) => void;
  stopped: AbortSignal;
}

/** Does an action with rows, one after the other or all together. */
export async function perform<R>(
  { each, together, part = () => 0 }: BulkAction<R>,
  rows: R[],
  values: Values,
  { idOf, keyOf, tell, stopped }: Requests<R>,
): Promise<void> {
  if (each) return doEach(rows, (row) => each(row, values, underKey(keyOf([row]))), tell, stopped);
  for (const one of new Set(rows.map(part))) {
    if (stopped.aborted) return;
    const some = rows.filter((row) => part(row) === one);
    try {
      const left = await together(some, values, underKey(keyOf(some)));
      const why = new Map([...(left ?? [])].map(([id, reason]) => [String(id), reason]));
      for (const row of some) {
        const reason = why.get(idOf(row));
        tell(row, reason === undefined ? { isDone: true } : { isDone: false, error: new Error(reason) });
      }
    } catch (error) {
      for (const row of some) tell(row, { isDone: false, error });
    }
  }
}
