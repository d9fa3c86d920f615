import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect, useRef } from "react";
import { type CallOptions, type FloorWork, newKey, Refusal } from "../../client/src/index.js";
import { AWAY_STATUSES, isAway } from "../shared/away.js";
import type { IconName } from "../shared/icons.js";
import { keptFor } from "../shared/kept.js";
import { useMe, whileSignedIn } from "../shared/session.js";
import { useKept } from "../shared/use-kept.js";
import { right, wrong } from "./signals.js";
import { isTooOld, type Sent, unanswered } from "./unsent.js";

/** A line of the menu: a `task.ts` in a folder of `scan/pages/` exports one as its default. */
export interface Task {
  /** Its place in the menu. */
  order: number;
  /** Below `/scan/`. */
  path: string;
  /**
   * The function that a user needs (src/auth/rights.ts), or `any` for who has one of them; without it, it is for
   * everybody.
   */
  needs?: string;
  title: () => string;
  icon: IconName;
  /** How much of it waits in the warehouse. */
  waiting?: (work: FloorWork) => number;
  load: () => Promise<{ default: ComponentType }>;
  /** What is kept of it without the net, by name, and how each is sent later (`kept/`). */
  sends?: Record<string, (done: never, options: CallOptions) => Promise<unknown>>;
  /** Gives back what the service keeps for this device, once its user leaves and nothing is left to be sent. */
  leave?: (user: string) => Promise<void>;
  /** Of which tasks its page tells what was refused later. */
  tells?: string[];
}

/** Whether somebody with these functions sees a task. */
export const isFor = ({ needs }: Pick<Task, "needs">, functions: string[]): boolean =>
  needs === undefined || (needs === "any" ? functions.length > 0 : functions.includes(needs));

const found = import.meta.glob<Task>("./pages/**/task.ts", { eager: true, import: "default" });
export const tasks: Task[] = Object.values(found).sort((a, b) => a.order - b.order);

/** How far somebody is with a task, which a reload comes back to. */
export function useProgress<T>(name: string, beginning: T): [progress: T, set: (progress: T) => void] {
  const { external_id } = useMe();
  const store = keptFor<T>(external_id, `task.${name}`, beginning);
  return [useKept(store), store.set];
}

/** Bad wifi comes back sooner than a person does anything else. */
export const UNTIL_ANSWERED: CallOptions = { giveUpAfterMs: 30 * 60_000, attemptMs: 10_000 };
/** What need not wait for the net is sent for so long. */
export const SOON: CallOptions = { giveUpAfterMs: 3_000, attemptMs: 8_000 };

/** Refusals that say nothing about what was sent: somebody has to sign in again, or the service is not there. */
const KEPT_STATUSES = [401, ...AWAY_STATUSES];
const KEPT_CODES = ["other_user", "csrf_invalid", "password_change_required"];
export const isAnswer = (error: unknown) =>
  error instanceof Refusal && !KEPT_STATUSES.includes(error.status) && !KEPT_CODES.includes(error.code);

/** It was right, and the serial number of the unit is what comes next. */
export const isAsking = (error: unknown) => error instanceof Refusal && error.code === "serial_required";

/** What becomes of something that is done while there is no net, and of what comes no answer to. */
export interface WithoutNet<I> {
  isAway: boolean;
  goAway: () => void;
  /** Why it cannot be right, as far as the device knows: it is told at once, and not kept. */
  whyWrong?: (input: I) => Refusal | undefined;
  keep: (sent: Sent<I>) => void;
  /** It was answered at once. */
  answered?: (sent: Sent<I>) => void;
}

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
 * step behind it. Where it may wait (`withoutNet`), it is kept once there is no net, and is then no longer this one's.
 */
export function useScanned<I, A>(
  name: string,
  act: (input: I, options: CallOptions) => Promise<A>,
  done: (answer: A, input: I) => void,
  withoutNet?: WithoutNet<I>,
): Scanning<I> {
  const { external_id, username } = useMe();
  const store = unanswered<I>(external_id, name);
  const client = useQueryClient();
  const mutation = useMutation({
    networkMode: "always",
    mutationFn: async (sent: Sent<I>) => {
      const { input, key } = sent;
      const until = withoutNet ? SOON : UNTIL_ANSWERED;
      try {
        const answer = await act(input, { ...until, idempotencyKey: key, signal: whileSignedIn() });
        withoutNet?.answered?.(sent);
        return { answer };
      } catch (error) {
        if (!withoutNet || !isAway(error)) throw error;
        withoutNet.goAway();
        const why = withoutNet.whyWrong?.(input);
        if (why) throw why;
        withoutNet.keep(sent);
        return undefined;
      }
    },
    onSuccess: async (answered, { input, key }) => {
      // Whoever left the page and came back has sent it twice, and hears of it once.
      const isNew = store.get()?.key === key;
      if (isNew) store.set(null);
      right();
      if (!answered) return;
      await client.invalidateQueries();
      if (isNew) done(answered.answer, input);
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
    // What was refused before says nothing of what is kept.
    if (withoutNet?.isAway) mutation.reset();
    if (withoutNet?.isAway && sent !== before) {
      withoutNet.keep({ ...sent, isUntried: true });
      return right();
    }
    store.set(sent);
    await mutation.mutateAsync(sent).catch(() => {});
  };
  const { error, isPending, variables, reset } = mutation;
  return { send, error, isPending, input: variables?.input, reset };
}
