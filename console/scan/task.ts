import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type CallOptions, type FloorWork, newKey, Refusal } from "../../client/src/index.js";
import type { IconName } from "../shared/icons.js";
import { keptFor, onKept } from "../shared/kept.js";
import { useMe, whileSignedIn } from "../shared/session.js";
import { right, wrong } from "./signals.js";
import { isTooOld, type Sent, unanswered } from "./unsent.js";

/** A line of the menu: a `task.ts` in a folder of `scan/pages/` exports one as its default. */
export interface Task {
  /** Its place in the menu. */
  order: number;
  /** Below `/scan/`. */
  path: string;
  /** The function that a user needs (src/auth/rights.ts); without one it is for everybody. */
  needs?: string;
  title: () => string;
  icon: IconName;
  /** How much of it waits in the warehouse. */
  waiting?: (work: FloorWork) => number;
  load: () => Promise<{ default: ComponentType }>;
}

const found = import.meta.glob<Task>("./pages/**/task.ts", { eager: true, import: "default" });
export const tasks: Task[] = Object.values(found).sort((a, b) => a.order - b.order);

/** How far somebody is with a task, which a reload comes back to. */
export function useProgress<T>(name: string, beginning: T): [progress: T, set: (progress: T) => void] {
  const { external_id } = useMe();
  const store = keptFor<T>(external_id, `task.${name}`, beginning);
  // As a text, which is equal as long as nothing changes.
  const text = useSyncExternalStore(onKept, () => JSON.stringify(store.get()));
  return [useMemo(() => JSON.parse(text) as T, [text]), store.set];
}

/** Bad wifi comes back sooner than a person does anything else. */
const UNTIL_ANSWERED: CallOptions = { giveUpAfterMs: 30 * 60_000, attemptMs: 10_000 };

/** Refusals that say nothing about what was sent: somebody has to sign in again, or the service is not there. */
const KEPT_STATUSES = [401, 429, 502, 503, 504];
const KEPT_CODES = ["other_user", "csrf_invalid", "password_change_required"];
const isAnswer = (error: unknown) =>
  error instanceof Refusal && !KEPT_STATUSES.includes(error.status) && !KEPT_CODES.includes(error.code);

/** It was right, and the serial number of the unit is what comes next. */
export const isAsking = (error: unknown) => error instanceof Refusal && error.code === "serial_required";

/** How something that a scan does is going. */
export interface Scanning<I> {
  /** Resolves when it was answered, whatever the answer. */
  send: (input: I) => Promise<void>;
  error: unknown;
  isPending: boolean;
  /** What was sent last. */
  input: I | undefined;
  reset: () => void;
}

/**
 * Something that a scan does. It is sent again until it is answered, also after a reload, and happens once, for the
 * person who did it: it ends when somebody else is signed in, and goes on when that person is back. `act` hands the
 * options to the client. It belongs to the whole task, not to a step: when the answer was lost, a reload may show the
 * step behind it.
 */
export function useScanned<I, A>(
  name: string,
  act: (input: I, options: CallOptions) => Promise<A>,
  done: (answer: A, input: I) => void,
): Scanning<I> {
  const { external_id, username } = useMe();
  const store = unanswered<I>(external_id, name);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ input, key }: Sent<I>) =>
      act(input, { ...UNTIL_ANSWERED, idempotencyKey: key, signal: whileSignedIn() }),
    onSuccess: async (answer, { input, key }) => {
      // Whoever left the page and came back has sent it twice, and hears of it once.
      const isNew = store.get()?.key === key;
      if (isNew) store.set(null);
      right();
      await client.invalidateQueries();
      if (isNew) done(answer, input);
    },
    onError: (error) => {
      if (isAnswer(error)) store.set(null);
      if (isAsking(error)) right();
      else wrong();
      // What is shown may be why.
      void client.invalidateQueries();
    },
  });
  const resume = useRef(() => {
    const sent = store.get();
    if (sent && !isTooOld(sent)) mutation.mutate(sent);
  });
  useEffect(() => resume.current(), []);
  const send = async (input: I) => {
    // What is unanswered comes first, whatever it was: it may have happened.
    const before = store.get();
    const sent = before && !isTooOld(before) ? before : { input, key: newKey(), username, at: Date.now() };
    store.set(sent);
    await mutation.mutateAsync(sent).catch(() => {});
  };
  const { error, isPending, variables, reset } = mutation;
  return { send, error, isPending, input: variables?.input, reset };
}
