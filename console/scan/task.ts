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

/**
 * Something that a scan does. It is sent again until it is answered, also after a reload, and happens once. `act` hands
 * the options to the client.
 */
export function useScanned<I, A>(
  name: string,
  act: (input: I, options: CallOptions) => Promise<A>,
  done: (answer: A, input: I) => void,
) {
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
      if (error instanceof Refusal) store.set(null);
      wrong();
    },
  });
  const resume = useRef(() => {
    const sent = store.get();
    if (sent) mutation.mutate(sent);
  });
  useEffect(() => resume.current(), []);
  const send = (input: I) => {
    const sent = { input, key: newKey() };
    store.set(sent);
    mutation.mutate(sent);
  };
  return { send, error: mutation.error, isPending: mutation.isPending, reset: mutation.reset };
}
