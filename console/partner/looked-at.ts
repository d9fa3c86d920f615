/** What moves while somebody looks is read so often. */
export const LOOKED_AT_MS = 5_000;
