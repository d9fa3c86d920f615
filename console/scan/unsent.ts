import { useMemo, useSyncExternalStore } from "react";
import { type Kept, keptFor, keptOfAll, onKept } from "../shared/kept.js";
import { useMe } from "../shared/session.js";

/** What a scan or a touch did and no answer came to. It is sent again, under its key, for who did it alone. */
export interface Sent<I> {
  input: I;
  key: string;
  username: string;
  /** When it was done, by the clock of the device. */
  at: number;
  /** Done again, at any time, it does nothing more. */
  isHarmless?: true;
  /** It was never sent, so it is done once whenever it is. */
  isUntried?: true;
}

/** The service knows a key for 24 hours; what comes later it would do once more. */
const KNOWN_MS = 20 * 3_600_000;
export const isTooOld = ({ at, isHarmless, isUntried }: Sent<unknown>): boolean =>
  !isHarmless && !isUntried && Date.now() - at > KNOWN_MS;

/** Before the name of what was done: its task, and where a task has several, a dot and which. */
export const UNANSWERED = "unanswered.";

export const unanswered = <I>(user: string, name: string): Kept<Sent<I> | null> =>
  keptFor<Sent<I> | null>(user, UNANSWERED + name, null);

interface Unsent {
  /** The path of its task. */
  task: string;
  username: string;
  isOwn: boolean;
  /** Whether it is not sent again, because nobody knows whether it arrived. */
  isTooOld: boolean;
  at: number;
  forget: () => void;
}

const texts = () => JSON.stringify(keptOfAll<Sent<unknown>>(UNANSWERED));

/** What is not yet sent on this device, of everybody, each task once. */
export function useUnsent(): Unsent[] {
  const { external_id } = useMe();
  const text = useSyncExternalStore(onKept, texts);
  return useMemo(() => {
    const all = (JSON.parse(text) as ReturnType<typeof keptOfAll<Sent<unknown>>>).map(({ user, name, value }) => ({
      task: name.split(".")[0] ?? "",
      username: value.username,
      isOwn: user === external_id,
      isTooOld: isTooOld(value),
      at: value.at,
      forget: () => unanswered(user, name).set(null),
    }));
    return [...new Map(all.map((one) => [`${one.username} ${one.task}`, one])).values()];
  }, [text, external_id]);
}

/** Whether it is sent as soon as it can be. */
export const isWaiting = ({ isOwn, isTooOld }: Unsent): boolean => isOwn && !isTooOld;
