const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text that somebody scanned or searched for as a UUID; null where it is none, which no column is equal to. */
export const asUuid = (text: string): string | null => (UUID.test(text) ? text : null);
