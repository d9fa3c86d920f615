/** A name as it is compared: without accents, points and capitals. */
export const plainName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[\p{M}.]/gu, "")
    .trim()
    .toLowerCase();
