/** The entries under their keys, keys in order of first appearance. (Map.groupBy, which Node 20 does not have.) */
export function groupBy<T, K>(entries: Iterable<T>, keyOf: (entry: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** Each value once, in order of first appearance. */
export const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** For `JSON.stringify`: Postgres can store neither NUL nor half of a surrogate pair, so they are left out. */
export const storable = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\0|\p{Cs}/gu, "") : value;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A scanned or searched text as a UUID; null where it is not one, so that it equals no column. */
export const asUuid = (text: string): string | null => (UUID.test(text) ? text : null);
