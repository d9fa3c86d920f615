import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Answer, ReadPath } from "../../../client/src/index.js";
import { reading } from "../../shared/api.js";
import type { Drawn } from "./row-window.js";

interface Asked<P> {
  path: P;
  of: Record<string, string | number> | undefined;
  query: Record<string, string | number>;
  /** It is asked for by `limit` and `offset`. */
  limit: number | undefined;
  /** The page to begin with, from 0. */
  first: number;
  /** It may have so many records that nobody waits until they are counted. */
  isLong: boolean | undefined;
}

/** A list as far as it is read. */
interface Shown<R> {
  list: string;
  total: number;
  /** False: there are at least so many, and they are being counted. */
  isExact: boolean;
  /** How many records are a page. */
  size: number;
  /** Each record in its place; undefined are those of pages that are not drawn. */
  rows: (R | undefined)[];
}

/** The parameters of a page, from 0. */
export const placeOf = (page: number, limit: number | undefined) =>
  limit ? { limit, offset: page * limit } : page > 0 ? { page: page + 1 } : {};

/** A list of the service of which only those pages are read that are drawn, each by itself. */
export function useListPages<P extends ReadPath, R>(rows: string, { path, of, query, limit, first, isLong }: Asked<P>) {
  const list = JSON.stringify([of, query]);
  const asked = isLong ? { ...query, quick_total: "true" } : query;
  const [drawn, draw] = useState({ list, from: first, to: first });
  // Another filter or order begins at the top.
  const { from, to } = drawn.list === list ? drawn : { from: 0, to: 0 };
  const pages = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const results = useQueries({
    queries: pages.map((page) => ({
      ...reading(path, { ...(of && { path: of }), query: { ...asked, ...placeOf(page, limit) } }),
      refetchInterval: ({ state }: { state: { data: unknown } }) => !isCounted(state.data) && COUNTED_MS,
    })),
  });
  const answers = results.flatMap(({ data, dataUpdatedAt: at }, i) => (data ? [{ page: from + i, data, at }] : []));
  const shown = answers.length > 0 ? { list, ...joined<Answer<P>, R>(rows, answers, limit) } : undefined;
  const last = useRef<Shown<R>>(undefined);
  useEffect(() => {
    if (shown) last.current = shown;
  });
  return {
    list,
    /** What was there before, as long as nothing has come. */
    shown: shown ?? last.current,
    isOld: !shown && last.current?.list !== list,
    error: results.find(({ error }) => error)?.error,
    draw: ({ from, to }: Drawn) => draw({ list, from, to }),
  };
}

/** Whether the total of an answer is the number of records. */
const isCounted = (answer: unknown) => (answer as { total_is_exact?: boolean } | undefined)?.total_is_exact !== false;
/** After that a million records are mostly counted. */
const COUNTED_MS = 2_000;

interface Answered<A> {
  page: number;
  data: A;
  at: number;
}

/** Pages that were read, as one list; how long it is says the newest of them. */
function joined<A, R>(rows: string, answers: Answered<A>[], limit: number | undefined): Omit<Shown<R>, "list"> {
  const recordsOf = (answer: A) => (answer as Record<string, R[]>)[rows] ?? [];
  const newest = answers.reduce((a, b) => (b.at > a.at ? b : a)).data as { total?: number; per_page?: number };
  const size = limit ?? newest.per_page;
  if (!size) {
    const records = answers.flatMap(({ data }) => recordsOf(data));
    return { total: newest.total ?? records.length, isExact: true, size: WHOLE, rows: records };
  }
  const total = newest.total ?? 0;
  const all: (R | undefined)[] = Array.from({ length: total }, () => undefined);
  for (const { page, data } of answers)
    for (const [i, record] of recordsOf(data).entries()) if (page * size + i < total) all[page * size + i] = record;
  return { total, isExact: isCounted(newest), size, rows: all };
}

/** What comes whole is drawn in blocks of so many. */
const WHOLE = 50;
