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
        /** Does it with one row, by a service that repeats it when no answer came. */
        each: (row: R, values: Values, api: Api) => Promise<unknown>;
        /** Takes it back; the row is as it was before. */
        undo?: (row: R, api: Api) => Promise<unknown>;
        together?: never;
      }
    | {
        /** Does it with all of them in one request; gives those with which it was not done, and why. */
        together: (rows: R[], values: Values, api: Api) => Promise<Left<R>[] | undefined>;
        each?: never;
        undo?: never;
      }
  );

/** A row with which nothing was done. */
export interface Left<R> {
  row: R;
  why: string;
}

/** What became of a row. */
export type Outcome = { isDone: true } | { isDone: false; error: unknown };

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
        () => tell(row, { isDone: true }),
        (error: unknown) => tell(row, { isDone: false, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** What is done with rows one after the other or all together; each thing has a key that stays its own when repeated. */
export async function perform<R>(
  action: BulkAction<R>,
  rows: R[],
  values: Values,
  keyOf: (row: R | undefined) => string,
  tell: (row: R, outcome: Outcome) => void,
  stopped: AbortSignal,
): Promise<void> {
  const { each, together } = action;
  if (each) return doEach(rows, (row) => each(row, values, underKey(keyOf(row))), tell, stopped);
  try {
    const left = (await together(rows, values, underKey(keyOf(undefined)))) ?? [];
    const why = new Map(left.map((one) => [one.row, one.why]));
    for (const row of rows) {
      const reason = why.get(row);
      tell(row, reason === undefined ? { isDone: true } : { isDone: false, error: new Error(reason) });
    }
  } catch (error) {
    for (const row of rows) tell(row, { isDone: false, error });
  }
}
