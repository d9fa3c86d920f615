import { openListener } from "../../../../src/db/listener.js";
import { CHANGES } from "../../../../src/outbound/webhooks/senders.js";

/** Notifies senders when a subscription is changed, by any process. */
export interface Changes {
  /** Watches a subscription until `end`: `changed` is set when it may have changed. */
  watch(subscriptionId: string, onChange: () => void): Watch;
  /** Calls the listener whenever any subscription may have changed; gives a function that ends this. */
  onAny(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface Watch {
  changed: boolean;
  end(): void;
}

export function openChanges(databaseUrl: string): Changes {
  const watched = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  const channel = openListener(databaseUrl, CHANGES, {
    // Notifications may have been missed before.
    connected: () => {
      for (const notify of [...watched.values(), ...listeners]) notify();
    },
    notified: (id) => {
      watched.get(id)?.();
      for (const notify of listeners) notify();
    },
    lost: () => {},
  });
  return {
    watch(subscriptionId, onChange) {
      const watch: Watch = { changed: false, end: () => watched.delete(subscriptionId) };
      watched.set(subscriptionId, () => {
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
