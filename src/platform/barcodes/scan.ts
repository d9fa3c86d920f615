import { parseBarcode } from "gs1-barcode-parser-mod";
import { formsOf, gtinOf } from "./gtin.js";
import type { Scanned } from "./shapes.js";

/** A parsed scan. */
export interface Scan {
  /** The text as it was sent: it is compared exactly first. */
  text: string;
  /** The forms of its GTIN, any of which may be stored; none where it has no GTIN. */
  forms: string[];
  holds: Scanned;
}

/** The shortest element string or link with a GTIN, and the longest label; other lengths are not parsed. */
const SHORTEST = 16;
const LONGEST = 256;

const SEPARATOR = "\u001d";

/** Before the data: control characters, such as a separator for FNC1, and the symbology identifier, such as `]C1`. */
export const PREFIX = /^\p{Cc}*(?:\][A-Za-z][0-9A-Za-z])?\p{Cc}*/u;

/**
 * Application identifiers that are taken: GTIN, GTIN of the contents, lot, production, packaging, best before, expiry,
 * serial number, count, net weight in kilograms by its decimal places, count of the contents. The library knows the
 * lengths of all others.
 */
const NET_WEIGHTS = ["3100", "3101", "3102", "3103", "3104", "3105"];
const READ = ["01", "02", "10", "11", "13", "15", "17", "21", "30", "37", ...NET_WEIGHTS];
const DAYS = ["11", "13", "15", "17"];

const NOTHING: Scanned = {
  ...{ gtin: null, lot_number: null, expiry_date: null, best_before_date: null, production_date: null },
  ...{ packaging_date: null, serial_number: null, quantity: null, net_weight_kg: null },
};

/** Parses a GTIN, a GS1 element string or a GS1 Digital Link; of any other text only the text is known. */
export function readScan(text: string): Scan {
  const holds = text.length > LONGEST ? NOTHING : read(text.replace(PREFIX, ""));
  return { text, forms: holds.gtin === null ? [] : formsOf(holds.gtin), holds };
}

function read(data: string): Scanned {
  const plain = gtinOf(data);
  if (plain !== undefined) return { ...NOTHING, gtin: plain };
  if (data.length < SHORTEST) return NOTHING;
  try {
    return elementsOf(/^https?:\/\//i.test(data) ? fromLink(data) : data) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

/** The elements of a GS1 Digital Link as an element string: `/01/<GTIN>/10/<lot>/21/<serial>?17=<expiry>`. */
function fromLink(link: string): string {
  const { pathname, searchParams } = new URL(link);
  const parts = pathname.split("/").map(decodeURIComponent);
  const path = parts.slice(parts.indexOf("01"));
  const pairs = path.flatMap((ai, i): [string, string][] => (i % 2 === 0 ? [[ai, path[i + 1] ?? ""]] : []));
  return [...pairs, ...searchParams]
    .filter(([ai]) => READ.includes(ai))
    .map(([ai, value]) => ai + (ai === "01" ? value.padStart(14, "0") : value))
    .join(SEPARATOR);
}

/** The contents of an element string, or undefined where it has no GTIN, or an element that GS1 does not allow. */
function elementsOf(text: string): Scanned | undefined {
  if (!/^[\d(]/.test(text)) return undefined;
  const elements = new Map(parseBarcode(text).parsedCodeItems.map((element) => [element.ai, element]));
  const raw = (ai: string) => elements.get(ai)?.raw;
  const gtin = gtinOf(raw("01") ?? raw("02") ?? "");
  const day = (ai: string) => elements.get(ai)?.isoDate ?? null;
  const [lot, serial, count] = [raw("10"), raw("21"), raw("37") ?? raw("30")];
  const weight = NET_WEIGHTS.find((ai) => elements.has(ai));
  const isFaulty =
    (weight !== undefined && !/^\d{6}$/.test(raw(weight) as string)) ||
    [lot, serial].some((code) => code !== undefined && !/^[!-z]{1,20}$/.test(code)) ||
    (count !== undefined && !/^\d{1,8}$/.test(count)) ||
    DAYS.some((ai) => !isOnCalendar(elements.get(ai)));
  if (gtin === undefined || isFaulty) return undefined;
  return {
    gtin,
    lot_number: lot ?? null,
    expiry_date: day("17"),
    best_before_date: day("15"),
    production_date: day("11"),
    packaging_date: day("13"),
    serial_number: serial ?? null,
    quantity: Number(count) || null,
    net_weight_kg: weight === undefined ? null : weightOf(weight, Number(raw(weight))),
  };
}

/** The last digit of its identifier says how many of the six digits are decimal places. */
const weightOf = (ai: string, digits: number) => digits / 10 ** Number(ai.slice(-1));

/** The library takes the 31st of June for the 1st of July; day 00 is the last day of its month. */
const isOnCalendar = (element: { raw: string; isoDate: string } | undefined) =>
  element === undefined || (/^\d{6}$/.test(element.raw) && element.isoDate.slice(5, 7) === element.raw.slice(2, 4));
