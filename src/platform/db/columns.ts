import { z } from "zod";

/** The types of a row's columns, as `db.ts` returns their values. A column that may be null has `.nullable()`. */

/** `int` and `bigint`. */
export const int = z.int();
/** `double precision`. */
export const number = z.number();
export const text = z.string();
export const bool = z.boolean();
/** `timestamptz`, in UTC. */
export const time = z.iso.datetime({ offset: true });
/** `json` of any form. */
export const json = z.unknown();
/** A `json` object of any form. */
export const object = z.record(z.string(), z.unknown());
/** `bytea`. */
export const bytes = z.instanceof(Buffer);
/** An array, of Postgres or of `json`. */
export const arrayOf = z.array;
/** These columns, each of that kind. */
export const each = <K extends string, C extends z.ZodType>(names: readonly K[], column: C): Record<K, C> =>
  Object.fromEntries(names.map((name) => [name, column])) as Record<K, C>;
