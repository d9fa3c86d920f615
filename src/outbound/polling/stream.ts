import { z } from "zod";
import { int, text, time } from "../../platform/db/columns.js";
import { CursorBeyondHorizon, StreamEpochChanged } from "../problems.js";

/** The stream of events, and its current epoch. */
export const Stream = z.strictObject({
  epoch: text,
  started_at: time,
  /** The first event of the epoch has the next number. */
  begins_after: int,
  /** The last event of the epochs before. */
  survived_to: int,
  /** The last number that was given. */
  last_no: int,
  /** The events up to this number are not here any more (docs/operations.md, Retention). */
  retired_to: int,
});
export type Stream = z.infer<typeof Stream>;

/** SQL: the columns of `Stream`, each by a lookup of its own. */
const of = (column: string) => `(select ${column} from stream_epochs order by begins_after desc limit 1) as ${column}`;
export const STREAM = `${["epoch", "started_at", "begins_after", "survived_to"].map(of).join(", ")},
  (select last_no from sequencer_state where name = 'events') as last_no,
  (select coalesce(max(last_no), 0) from retired_files where table_name = 'integration_events') as retired_to`;

/**
 * Throws where a client is told that the stream is not the one that it knows: its epoch is over, or its cursor is one
 * that no event has, because it was never given, or given to an event that a restore lost.
 */
export function checkPlace(stream: Stream, cursor: number, epoch: string | undefined): void {
  const { begins_after, survived_to, last_no, started_at } = stream;
  const told = { epoch: stream.epoch, started_at, resume_after: survived_to };
  if (epoch !== undefined && epoch !== stream.epoch) throw StreamEpochChanged({}, told);
  const lost = cursor > survived_to && cursor < begins_after;
  if (lost)
    throw CursorBeyondHorizon({}, { ...told, detail: `Event ${cursor} was lost in a restore, if there was one` });
  if (cursor > last_no)
    throw CursorBeyondHorizon(
      {},
      { epoch: stream.epoch, resume_after: last_no, detail: `The newest event is ${last_no}, below ${cursor}` },
    );
}

/**
 * Throws where events after a client's own cursor are not here any more. From the beginning, which is 0, is from the
 * first one that is here.
 */
export function checkKept({ epoch, retired_to }: Stream, cursor: number): void {
  if (cursor > 0 && cursor < retired_to)
    throw CursorBeyondHorizon(
      {},
      { epoch, resume_after: retired_to, detail: `Events up to ${retired_to} are past their retention` },
    );
}
