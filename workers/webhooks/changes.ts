import { openChannel } from "../../src/channel.js";
import { CHANGES } from "../../src/webhooks/senders.js";

/** Tells senders at once that their subscription was changed, by whichever process. */
export interface Changes {
  /** Watches a subscription until `end`: `told` is set when it may have changed. */
  watch(subscriptionId: string, onTold: () => void): Watch;
  close(): Promise<void>;
}

export interface Watch {
  told: boolean;
  end(): void;
}

export function openChanges(databaseUrl: string): Changes {
  const watched = new Map<string, Set<() => void>>();
  const channel = openChannel(databaseUrl, CHANGES, {
    // Something may have been said while nobody listened.
    connected: () => {
      for (const tellers of watched.values())
        for (const tell of tellers) tell();
    },
    heard: (id) => {
      for (const tell of watched.get(id) ?? []) tell();
    },
    lost: () => {},
  });
  return {
    watch(subscriptionId, onTold) {
      const tellers = watched.get(subscriptionId) ?? new Set();
      watched.set(subscriptionId, tellers);
      const tell = () => {
        watch.told = true;
        onTold();
      };
      const watch: Watch = {
        told: false,
        end() {
          tellers.delete(tell);
          if (tellers.size === 0) watched.delete(subscriptionId);
        },
      };
      tellers.add(tell);
      return watch;
    },
    close: () => channel.close(),
  };
}
