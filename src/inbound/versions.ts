/** How the versions of a source system's records are compared (docs/interface.md, Inbound). */
export const versionComparisons = ["iso_timestamp", "integer", "lexicographic"] as const;
export type VersionCompare = (typeof versionComparisons)[number];

/**
 * Whether the incoming version is older than the stored one (docs/interface.md, Inbound). Versions that are not both
 * numbers, or not both times, are compared as text.
 */
export function isStale(compare: VersionCompare, incoming: string, stored: string): boolean {
  const [a, b] = [ordered(compare, incoming), ordered(compare, stored)];
  if (a !== undefined && b !== undefined) return a < b;
  return Buffer.compare(Buffer.from(incoming), Buffer.from(stored)) < 0;
}

/** Whether a version has the type that it is to be compared as; otherwise it is compared as text. */
export const isComparable = (compare: VersionCompare, version: string): boolean =>
  compare === "lexicographic" || ordered(compare, version) !== undefined;

function ordered(compare: VersionCompare, version: string): bigint | undefined {
  if (compare === "lexicographic") return undefined;
  return compare === "integer" ? integerOf(version) : nanosecondsOf(version);
}

function integerOf(text: string): bigint | undefined {
  return /^\s*[+-]?\d+\s*$/.test(text) ? BigInt(text.trim().replace(/^\+/, "")) : undefined;
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** The nanoseconds of an ISO date-time. Without an offset it is UTC; a date is its midnight. */
function nanosecondsOf(text: string): bigint | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [, day, time = "00:00", seconds = "00", fraction = "", zone = "Z"] = found;
  const offset = /^z$/i.test(zone) ? "Z" : `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
  const moment = `${day}T${time}:${seconds}`;
  const ms = Date.parse(`${moment}${offset}`);
  // Date.parse takes the 30th of February for the 1st of March.
  if (Number.isNaN(ms) || !sameDay(moment)) return undefined;
  return BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function sameDay(moment: string): boolean {
  const ms = Date.parse(`${moment}Z`);
  return new Date(ms).toISOString().startsWith(moment.slice(0, 10));
}
