import { iso31662 } from "iso-3166";
import { plainName } from "./plain-name.js";

/** Countries whose addresses have their state as a code, and those of them that do not go without one. */
const CODED = ["AR", "AU", "BR", "CA", "ES", "IN", "IT", "MX", "MY", "US"];
const NEEDED = ["AU", "CA", "US"];

/** Post to the armed forces abroad: no part of a country has these codes. */
const ARMED_FORCES: Record<string, string> = {
  "armed forces americas": "AA",
  "armed forces europe": "AE",
  "armed forces pacific": "AP",
};

const states = new Map<string, Map<string, string>>(
  CODED.map((country) => [
    country,
    new Map(
      iso31662
        .filter(({ code }) => code.startsWith(`${country}-`))
        .map(({ code, name }): [string, string] => [plainName(name), code.slice(3)])
        .concat(country === "US" ? Object.entries(ARMED_FORCES) : [])
        .flatMap(([name, code]) => [[name, code] as const, [code.toLowerCase(), code] as const]),
    ),
  ]),
);

export const needsState = (country: string): boolean => NEEDED.includes(country);

/**
 * A state as carriers take it: its code, of a country whose addresses have one, which is given as a name or as a code
 * (CA, US-CA). Undefined where a country that needs one has no such state; of others, as it is given.
 */
export function stateCode(country: string, state: string): string | undefined {
  const given = plainName(state);
  const code = states.get(country)?.get(given.startsWith(`${country.toLowerCase()}-`) ? given.slice(3) : given);
  return code ?? (needsState(country) ? undefined : state);
}
