/**
 * What this browser keeps after its page is closed. All of it goes through here, and is somebody's: devices are shared,
 * and what one person began is none of the next one's business.
 */

/** What belongs to the device, whoever uses it; the last one is Mantine's own. */
const ofDevice = ["language", "theme", "mantine-color-scheme-value", "device", "printer", "dock"] as const;
type OfDevice = (typeof ofDevice)[number];

export interface Kept<T> {
  get(): T;
  /** Null is kept by keeping nothing. */
  set(value: T): void;
}

const listeners = new Set<() => void>();

/** Calls back when something that is kept changes, in another tab too. Returns what ends it. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function kept<T>(name: string, otherwise: T): Kept<T> {
  return {
    get() {
      const text = localStorage.getItem(name);
      return text === null ? otherwise : (JSON.parse(text) as T);
    },
    set(value) {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
      for (const listener of listeners) listener();
    },
  };
}

/** A value of the device. */
export const keptOnDevice = <T>(name: OfDevice, otherwise: T): Kept<T> => kept(name, otherwise);

/** A value of one user, by the UUID: names and numbers may be somebody else's one day. */
export const keptFor = <T>(user: string, name: string, otherwise: T): Kept<T> => kept(`${user}/${name}`, otherwise);

const aUsers = /^([0-9a-f-]{36})\/(.+)$/;

/** What is kept of all users under names that begin so. */
export function keptOfAll<T>(beginning: string): { user: string; name: string; value: T }[] {
  return Object.keys(localStorage).flatMap((key) => {
    const [, user = "", name = ""] = aUsers.exec(key) ?? [];
    if (!name.startsWith(beginning)) return [];
    return [{ user, name: name.slice(beginning.length), value: JSON.parse(localStorage.getItem(key) ?? "null") as T }];
  });
}

// Of what earlier versions kept nobody knows whose it was.
for (const key of Object.keys(localStorage))
  if (!aUsers.test(key) && !(ofDevice as readonly string[]).includes(key)) localStorage.removeItem(key);
