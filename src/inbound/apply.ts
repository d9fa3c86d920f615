import type { CanonicalType } from "./columns.js";
import { convert } from "./convert.js";
import { exact, plain, shown } from "./decimals.js";
import type { ResourceMapping } from "./documents.js";
import { costOf, written } from "./expression/values.js";
import { budget, Fault, type Spend } from "./fault.js";
import { find, isMany, type Path } from "./path.js";
import { MappingApplyError } from "./problems.js";
import type { FieldMapping } from "./schema.js";

/** A record of another system that a column is to name: the column gets its canonical UUID once that is found. */
export interface Lookup {
  column: string;
  source_system: string;
  source_type: CanonicalType;
  source_id: string;
  /** A miss is a refusal; else the column stays null. */
  required: boolean;
}

/** What a mapping makes of a payload, by canonical column; a column of a lookup is null until that is found. */
export interface MappedRecord {
  values: Record<string, unknown>;
  lookups: Lookup[];
}
export interface Mapped extends MappedRecord {
  /** Without when the document maps no lines; empty when the payload has none. */
  lines?: MappedRecord[];
}

const MOST_LINES = 5_000;
/** Some tenths of a second, whatever the payload holds. */
const STEPS = 1_000_000;

/**
 * Puts a payload into the words of the canonical model (reference 04 §5.3); throws `mapping_apply_error`, naming the
 * field.
 */
export function applyMapping(mapping: ResourceMapping, payload: unknown): Mapped {
  const spend = budget(STEPS);
  const { resource, source_system, fields, line_items } = mapping;
  const record = (fields: FieldMapping[], source: unknown, where: string) =>
    mapped(fields, source, { source_system, where, spend });
  const header = record(fields, payload, `${resource}.`);
  if (!line_items) return header;
  const lines = at(`${resource}.${line_items.canonical_path}`, () => linesOf(line_items.source_path, payload, spend));
  return {
    ...header,
    lines: lines.map((line, i) => record(line_items.fields, line, `${resource}.${line_items.canonical_path}[${i}].`)),
  };
}

/** Nothing and null are no lines. */
function linesOf(path: Path, payload: unknown, spend: Spend): unknown[] {
  const found = find(path, payload, spend);
  const lines = isMany(path) ? found : (found[0] ?? []);
  if (!Array.isArray(lines)) throw new Fault(`${shown(lines)} is not a list`);
  if (lines.length > MOST_LINES) throw new Fault(`there are more than ${MOST_LINES} lines`);
  return lines;
}

interface Place {
  source_system: string;
  where: string;
  spend: Spend;
}

function mapped(fields: FieldMapping[], source: unknown, { source_system, where, spend }: Place): MappedRecord {
  const values: Record<string, unknown> = {};
  const lookups: Lookup[] = [];
  for (const field of fields) {
    const { canonical: column, required } = field;
    at(where + column, () => {
      const value = mappedValue(field, source, spend);
      if (value === null && required) throw new Fault("required, but the payload has nothing for it");
      const lookup = field.cross_system_lookup;
      values[column] = lookup ? null : convert(field, value);
      if (lookup && value !== null)
        lookups.push({
          source_system,
          ...lookup,
          column,
          source_id: identifier(value),
          required,
        });
    });
  }
  return { values, lookups };
}

/** Derived, else from the path, else the default; null counts as nothing. */
function mappedValue(field: FieldMapping, source: unknown, spend: Spend): unknown {
  const { derived, source_path } = field;
  spend(field.type === "decimal" ? 5 : 1);
  let value: unknown = null;
  if (derived && (!derived.when_present || single(derived.when_present, source, spend) !== null)) {
    const result = derived.expression({ source, spend });
    spend(costOf(result));
    value = written(result);
  } else if (source_path) value = single(source_path, source, spend);
  return value ?? field.default ?? null;
}

/** What the path finds: null for nothing, the value when it is one, a list when they are several. */
function single(path: Path, source: unknown, spend: Spend): unknown {
  const found = find(path, source, spend);
  return (found.length > 1 ? found : found[0]) ?? null;
}

/** Systems write their identifiers as numbers, too. */
function identifier(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return plain(exact(value));
  throw new Fault(`${shown(value)} is not an identifier`);
}

/** Says where a Fault happened. */
function at<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw MappingApplyError({ message: `${where}: ${error.message}` });
  }
}
