import { openListener } from "../../../../src/db/listener.js";
import { CHANGES } from "../../../../src/outbound/webhooks/senders.js";

/** Notifies senders when their subscription is changed, by any process. */
export interface Changes {
  /** Watches a subscription until `end`: `changed` is set when it may have changed. */
  watch(subscriptionId: string, onChange: () => void): Watch;
  close(): Promise<void>;
}

export interface Watch {
  changed: boolean;
  end(): void;
}

export function openChanges(databaseUrl: string): Changes {
  const watched = new Map<string, Set<() => void>>();
  const channel = openListener(databaseUrl, CHANGES, {
    // Notifications may have been missed before.
    connected: () => {
      for (const callbacks of watched.values()) for (const notify of callbacks) notify();
    },
    notified: (id) => {
      for (const notify of watched.get(id) ?? []) notify();
    },
    lost: () => {},
  });
  return {
    watch(subscriptionId, onChange) {
      const callbacks = watched.get(subscriptionId) ?? new Set();
      watched.set(subscriptionId, callbacks);
      const notify = () => {
        watch.changed = true;
        onChange();
      };
      const watch: Watch = {
        changed: false,
        end() {
          callbacks.delete(notify);
          if (callbacks.size === 0) watched.delete(subscriptionId);
        },
      };
      callbacks.add(notify);
      return watch;
    },
    close: () => channel.close(),
  };
}
