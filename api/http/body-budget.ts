const MB = 1024 * 1024;
/** The part of the whole budget that one caller may use; an import of the largest size always fits. */
const CALLER_DIVISOR = 4;
const LEAST_MB = 12;

/** The bodies of one caller: bytes that were received for requests which are not answered yet. */
export interface BodyAccount {
  /** Counts bytes; false where there is no room for them. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/**
 * Bounds the bytes of bodies that a process holds at the same time, of all callers and of each: otherwise a caller who
 * begins many bodies and ends none would take all memory.
 */
export function bodyBudget(mb: number): (caller: string) => BodyAccount {
  const most = mb * MB;
  const mostOfOne = Math.max(most / CALLER_DIVISOR, LEAST_MB * MB);
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
