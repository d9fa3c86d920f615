/**
 * What cannot be seen, and what makes a name look like another one or break a line: controls, also those of direction,
 * and zero-width characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** In the audit log `system`, with or without more behind a colon, is the service itself. */
const OF_THE_SERVICE = /^\s*system\s*(:|$)/i;

/** Why nobody may be called so; undefined for a name that is fine. */
export function faultOfUsername(name: string): string | undefined {
  if (UNSEEN.test(name)) return "Control characters and characters that cannot be seen are not allowed";
  if (OF_THE_SERVICE.test(name.normalize("NFKC"))) return "Names that begin with system: are the service's own";
  return undefined;
}
