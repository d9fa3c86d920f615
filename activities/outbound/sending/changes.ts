import { openListener } from "../../../src/platform/db/listener.js";

/** Notifies senders when what they send for is changed, by any process. */
export interface Changes {
  /** Watches what has this id until `end`: `changed` is set when it may have changed. */
  watch(id: string, onChange: () => void): Watch;
  /** Calls the listener whenever any of them may have changed; gives a function that ends this. */
  onAny(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface Watch {
  changed: boolean;
  end(): void;
}

/** @param postgresChannel Where ids of what was changed are notified. */
export function openChanges(databaseUrl: string, postgresChannel: string): Changes {
  const watched = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  const channel = openListener(databaseUrl, {
    [postgresChannel]: {
      // Notifications may have been missed before.
      connected: () => {
        for (const notify of [...watched.values(), ...listeners]) notify();
      },
      notified: (id) => {
        watched.get(id)?.();
        for (const notify of listeners) notify();
      },
      lost: () => {},
    },
  });
  return {
    watch(id, onChange) {
      const watch: Watch = { changed: false, end: () => watched.delete(id) };
      watched.set(id, () => {
        watch.changed = true;
        onChange();
      });
      return watch;
    },
    onAny(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => channel.close(),
  };
}
