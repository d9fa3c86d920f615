const MB = 1024 * 1024;
/** A caller may use that much of the room of all; an import of the largest size has room in any case. */
const SHARE = 4;
const LEAST_MB = 12;

/** The bodies of one caller: bytes that were received, until their requests are answered. */
export interface BodyAccount {
  /** Counts bytes; false where there is no room for them. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/**
 * Bounds the bytes of bodies that a process holds at the same time, of all callers and of each: whoever begins many
 * bodies and ends none would take all memory.
 */
export function bodyBudget(mb: number): (caller: string) => BodyAccount {
  const most = mb * MB;
  const mostOfOne = Math.max(most / SHARE, LEAST_MB * MB);
  const held = new Map<string, number>();
  let all = 0;
  return (caller) => ({
    take(bytes) {
      all += bytes;
      const own = (held.get(caller) ?? 0) + bytes;
      held.set(caller, own);
      return all <= most && own <= mostOfOne;
    },
    give(bytes) {
      all -= bytes;
      const own = (held.get(caller) ?? 0) - bytes;
      if (own > 0) held.set(caller, own);
      else held.delete(caller);
    },
  });
}
