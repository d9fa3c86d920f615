import { setMaxListeners } from "node:events";
import { openListener } from "../../../src/platform/db/listener.js";

/** Notifies senders when what they send for is changed, or has something to send, by any process. */
export interface Changes {
  /** Calls the listener when what has this id may have changed, one listener for each; gives what ends this. */
  on(id: string, listener: () => void): () => void;
  /** The same for whichever of them. */
  onAny(listener: () => void): () => void;
  close(): Promise<void>;
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
    on(id, listener) {
      watched.set(id, listener);
      return () => watched.delete(id);
    },
    onAny(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => channel.close(),
  };
}

/** What ends the sending for something, beside its own end. */
export interface Ends {
  /** Aborted when the worker stops or gives it up: after the current delivery. */
  stop: AbortSignal;
  /** Aborted when the lock is lost: another sender may be sending, so at once. */
  lost: AbortSignal;
}

/** What a sender pays attention to while it waits, for its host or for something to send. */
export class Attention {
  /** Whether what it sends for may have changed since this was last set to false. */
  changed = false;
  #resume = () => {};
  #check = () => {};
  readonly #end: () => void;

  constructor(
    changes: Changes,
    id: string,
    readonly ends: Ends,
  ) {
    const wake = () => this.wake();
    const forget = changes.on(id, () => {
      this.changed = true;
      wake();
    });
    for (const signal of [ends.stop, ends.lost]) signal.addEventListener("abort", wake);
    this.#end = () => {
      forget();
      for (const signal of [ends.stop, ends.lost]) signal.removeEventListener("abort", wake);
    };
  }

  get isOver(): boolean {
    return this.ends.stop.aborted || this.ends.lost.aborted;
  }

  /** Ends the wait that it is in, so that it looks again. */
  wake(): void {
    this.#check();
    this.#resume();
  }

  /** Aborted once what was to be sent is not to be sent any more: when it is over, or when this holds. */
  unwanted(orWhen = () => false): AbortSignal {
    const unwanted = new AbortController();
    // Each attempt that waits for its host listens to it.
    setMaxListeners(0, unwanted.signal);
    this.#check = () => {
      if (this.isOver || orWhen()) unwanted.abort();
    };
    this.#check();
    return unwanted.signal;
  }

  /** Waits until it is woken, or so long. */
  async wait(ms?: number): Promise<void> {
    if (this.changed || this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#end();
  }
}
