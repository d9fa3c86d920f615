import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { type CallOptions, newKey, Refusal } from "../../client/src/index.js";
import type { IconName } from "../shared/icons.js";
import { kept } from "../shared/kept.js";
import { right, wrong } from "./signals.js";

/** A line of the menu: `scan/pages/<name>/task.ts` exports one as its default. */
export interface Task {
  /** Its place in the menu. */
  order: number;
  /** Below `/scan/`. */
  path: string;
  /** The function that a user needs (src/auth/functions.ts); without one it is for everybody. */
  needs?: string;
  title: () => string;
  icon: IconName;
  load: () => Promise<{ default: ComponentType }>;
}

const found = import.meta.glob<Task>("./pages/*/task.ts", { eager: true, import: "default" });
export const tasks: Task[] = Object.values(found).sort((a, b) => a.order - b.order);

/** How far a task is, which a reload comes back to. */
export function useProgress<T>(name: string, beginning: T): [progress: T, set: (progress: T) => void] {
  const store = kept<T>(`task.${name}`, beginning);
  const [progress, setProgress] = useState(store.get());
  const set = (to: T) => {
    store.set(to);
    setProgress(to);
  };
  return [progress, set];
}

/** Bad wifi comes back sooner than a person does anything else. */
const UNTIL_ANSWERED: CallOptions = { giveUpAfterMs: 30 * 60_000, attemptMs: 10_000 };

interface Sent<I> {
  input: I;
  key: string;
}

/** How something that a scan does is going. */
export interface Scanning<I> {
  send: (input: I) => void;
  error: unknown;
  isPending: boolean;
  /** What was sent last. */
  input: I | undefined;
  reset: () => void;
}

/**
 * Something that a scan does. It is sent again until it is answered, also after a reload, and happens once. `act` hands
 * the options to the client. It belongs to the whole task, not to a step: when the answer was lost, a reload may show
 * the step behind it.
 */
export function useScanned<I, A>(
  name: string,
  act: (input: I, options: CallOptions) => Promise<A>,
  done: (answer: A, input: I) => void,
): Scanning<I> {
  const store = kept<Sent<I> | null>(`unanswered.${name}`, null);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ input, key }: Sent<I>) => act(input, { ...UNTIL_ANSWERED, idempotencyKey: key }),
    onSuccess: async (answer, { input }) => {
      store.set(null);
      right();
      await client.invalidateQueries();
      done(answer, input);
    },
    onError: (error) => {
      // Whoever has to sign in again goes on with it afterwards.
      if (error instanceof Refusal && error.status !== 401) store.set(null);
      wrong();
      // What is shown may be why.
      void client.invalidateQueries();
    },
  });
  const resume = useRef(() => {
    const sent = store.get();
    if (sent) mutation.mutate(sent);
  });
  useEffect(() => resume.current(), []);
  const send = (input: I) => {
    const unanswered = store.get();
    const isSame = unanswered && JSON.stringify(unanswered.input) === JSON.stringify(input);
    const sent = { input, key: isSame ? unanswered.key : newKey() };
    store.set(sent);
    mutation.mutate(sent);
  };
  const { error, isPending, variables, reset } = mutation;
  return { send, error, isPending, input: variables?.input, reset };
}
