import { useMemo, useSyncExternalStore } from "react";
import type { Refusal } from "../../../client/src/index.js";
import { keptFor, keptOfAll, onKept } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { type Sent, UNANSWERED, unanswered } from "../unsent.js";

/**
 * What somebody does without the net is kept on the device, in the order in which it was done, and sent later
 * (docs/offline.md). Each scan stands under a name of its own, and so does what came of it: tabs that keep and send at
 * the same time never write over each other.
 */

/** What was done, in the words of its task. */
export interface Scan<D = unknown> {
  /** Which of the `sends` of its task sends it. */
  does: string;
  done: D;
  /** The keys of scans without which it makes no sense, such as the receipt of the units that it moves. */
  after?: string[];
}

/** A scan that waits; it is sent under its key. */
export interface KeptScan<D = unknown> extends Sent<Scan<D>> {
  task: string;
  place: number;
}

/** Why something was refused, as far as it is told. */
export type Told = Pick<Refusal, "status" | "code" | "message" | "body">;

/** What came of a scan. */
export interface Outcome<D = unknown> extends Scan<D> {
  task: string;
  place: number;
  key: string;
  /** When it was answered, by the clock of the device. */
  at: number;
  /** Without one, it was done. */
  refusal?: Told;
  /** It was done, and its user knows. */
  isTold?: true;
}

/** `<task>.kept.<place>.<key>` */
const aKept = /^([^.]+)\.kept\.(\d+)\.(\w+)$/;
const OUTCOME = "outcome.";

const inOrder = (one: { place: number; key: string }, other: { place: number; key: string }) =>
  one.place - other.place || (one.key < other.key ? -1 : 1);

/** What waits, the oldest first. */
export const keptScans = (user: string): KeptScan[] =>
  keptOfAll<Sent<Scan>>(UNANSWERED)
    .flatMap(({ user: whose, name, value }) => {
      const [, task, place] = aKept.exec(name) ?? [];
      return task && whose === user ? [{ ...value, task, place: Number(place) }] : [];
    })
    .sort(inOrder);

export const outcomes = (user: string): Outcome[] =>
  keptOfAll<Outcome>(OUTCOME)
    .filter(({ user: whose }) => whose === user)
    .map(({ value }) => value)
    .sort(inOrder);

const nameOf = ({ task, place, key }: { task: string; place: number; key: string }) => `${task}.kept.${place}.${key}`;
const outcomeOf = (user: string, { place, key }: { place: number; key: string }) =>
  keptFor<Outcome | null>(user, `${OUTCOME}${place}.${key}`, null);

/** Whether it waits or was answered. */
const isKnown = (user: string, key: string) => [...keptScans(user), ...outcomes(user)].some((one) => one.key === key);

/** A place behind all that waits, whatever the clock says. */
const nextPlace = (user: string) => Math.max(Date.now(), (keptScans(user).at(-1)?.place ?? 0) + 1);

/** One scan more, behind those that wait. */
export function keepScan(user: string, task: string, { key, ...sent }: Sent<Scan>): void {
  if (isKnown(user, key)) return;
  unanswered<Scan>(user, nameOf({ task, place: nextPlace(user), key })).set({ ...sent, key });
}

/** From now on nobody knows whether it arrived, until it is answered. */
export function noteTried(user: string, { task, place, ...scan }: KeptScan): void {
  const { isUntried: _, ...sent } = scan;
  unanswered<Scan>(user, nameOf({ task, place, key: scan.key })).set({ ...sent, at: Date.now() });
}

/** Notes what came of a scan before it is forgotten. */
export function noteOutcome(user: string, { task, place, key, input }: KeptScan, refusal?: Told): void {
  const outcome = { ...input, task, place, key, at: Date.now(), ...(refusal && { refusal }) };
  outcomeOf(user, outcome).set(outcome);
  unanswered(user, nameOf({ task, place, key })).set(null);
}

/** So long what was done is of interest. */
const DAY_MS = 24 * 3_600_000;

/** Notes what was done in the net, for what the device reckons with until it has read the records again. */
export function noteDone(user: string, task: string, { key, input }: Sent<Scan>): void {
  if (isKnown(user, key)) return;
  for (const old of outcomes(user)) if (old.isTold && Date.now() - old.at > DAY_MS) forget(user, old);
  const outcome: Outcome = { ...input, task, place: nextPlace(user), key, at: Date.now(), isTold: true };
  outcomeOf(user, outcome).set(outcome);
}

export const forget = (user: string, outcome: Outcome): void => outcomeOf(user, outcome).set(null);

/** What was done counts no longer as news; what was refused stays until its user has seen to it. */
export function tellDone(user: string, tasks: string[]): void {
  for (const outcome of outcomes(user))
    if (tasks.includes(outcome.task) && !outcome.refusal) outcomeOf(user, outcome).set({ ...outcome, isTold: true });
}

interface Kept {
  scans: KeptScan[];
  outcomes: Outcome[];
}

/** What this user has on the device. */
export function useKeptScans(): Kept {
  const { external_id } = useMe();
  const read = () => JSON.stringify({ scans: keptScans(external_id), outcomes: outcomes(external_id) });
  const text = useSyncExternalStore(onKept, read);
  return useMemo(() => JSON.parse(text) as Kept, [text]);
}

/** What is to be told of these tasks now that the net is back. */
export function newsOf({ outcomes }: Kept, tasks: string[]): { done: number; refused: Outcome[] } {
  const news = outcomes.filter(({ task, isTold }) => tasks.includes(task) && !isTold);
  const refused = news.filter(({ refusal }) => refusal);
  return { done: news.length - refused.length, refused };
}
