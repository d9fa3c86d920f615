let count = 0;

/**
 * A word that nothing else in this process has. Being padded, each sorts after those before it: records that are listed
 * by their names come in the order in which a test made them.
 */
export const unique = (): string =>
  `${process.pid.toString(36)}${(++count).toString(36).padStart(5, "0")}`.toUpperCase();
