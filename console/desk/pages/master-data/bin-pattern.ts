/** Bins that are made by a pattern: every row of every aisle, on every level. */
export interface Pattern {
  aisles: string;
  rows: string;
  levels: string;
  /** `{aisle}-{row}-{level}`. */
  code: string;
}

/** A bin as an import takes it. */
export interface PatternBin {
  bin_code: string;
  aisle: string | null;
  row_num: string | null;
  level_num: string | null;
}

const aRange = /^(\d+|[a-z])\s*[-–]\s*(\d+|[a-z])$/i;
/** A range of more names is a slip of the keyboard. */
const MOST = 1_000;

/** The names in a text: `A-C, E` is A, B, C and E; `08-10` keeps its zeros. */
function namesIn(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter(Boolean).flatMap((part) => {
    const [, from = "", to = ""] = aRange.exec(part) ?? [];
    if (!from) return [part];
    const isNumber = /\d/.test(from);
    if (isNumber !== /\d/.test(to)) return [part];
    const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
    const count = Math.min(Math.max(0, last - first + 1), MOST);
    return Array.from({ length: count }, (_, i) =>
      isNumber ? String(first + i).padStart(from.length, "0") : String.fromCharCode(first + i),
    );
  });
}

/** The bins of a pattern in the order of a walk along them; a part without names is left out of the code. */
export function binsOf({ aisles, rows, levels, code }: Pattern): PatternBin[] {
  const orNone = (text: string) => {
    const names = namesIn(text);
    return names.length > 0 ? names : [null];
  };
  return orNone(aisles).flatMap((aisle) =>
    orNone(rows).flatMap((row) =>
      orNone(levels).map((level) => {
        const names: Record<string, string | null> = { aisle, row, level };
        const bin_code = code.replace(/([^{}]?)\{(aisle|row|level)\}/g, (_, before: string, name: string) =>
          names[name] ? before + names[name] : "",
        );
        return { bin_code, aisle, row_num: row, level_num: level };
      }),
    ),
  );
}
