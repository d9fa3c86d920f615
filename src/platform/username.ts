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

/** Letters of other scripts and signs, each before the letter that it looks like: a part of the table of UTS 39. */
const PAIRS = [
  "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ҮY",
  "αa οo νv ρp υu ιi κk τt χx γy ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX",
  "ıi ɑa ɡg Il 1l |l 0O",
].join(" ");
const LOOKS_LIKE = new Map(PAIRS.split(" ").map((pair) => Array.from(pair) as [string, string]));

/** Equal for two names that a person could confuse: how they look, without marks, case and blanks. */
function looksOf(name: string): string {
  const signs = Array.from(name.normalize("NFKD").replace(/\p{M}/gu, ""), (sign) => LOOKS_LIKE.get(sign) ?? sign);
  return signs.join("").toLowerCase().replaceAll("rn", "m").replaceAll("vv", "w").replace(/\s+/g, "");
}

/** The names that look like this one. */
export const alike = (name: string, names: string[]): string[] =>
  names.filter((other) => other !== name && looksOf(other) === looksOf(name));
