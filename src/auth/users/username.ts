/** Control and invisible characters, which can break lines of a log or make a name look like another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** In the audit log, `system` and `system:…` are the service itself. */
const RESERVED = /^\s*system\s*(:|$)/i;

/** Why a user name is not allowed; undefined when it is. */
export function faultOfUsername(name: string): string | undefined {
  if (INVISIBLE.test(name)) return "Control characters and characters that cannot be seen are not allowed";
  if (RESERVED.test(name.normalize("NFKC"))) return "Names that begin with system: are the service's own";
  return undefined;
}
