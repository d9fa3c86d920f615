import type { CanonicalType } from "./columns.js";
import { convert } from "./convert.js";
import { exact, plain, shown } from "./decimals.js";
import type { ResourceMapping } from "./documents.js";
import type { Context } from "./expression/parse.js";
import { costOf, written } from "./expression/values.js";
import { budget, Fault, type Spend } from "./fault.js";
import { find, isBlank, isMany, type Path, single } from "./path.js";
import { MappingApplyError } from "./problems.js";
import type { FieldMapping } from "./schema.js";

/** A reference to a record by its id in a source system. The column gets the canonical UUID when it is resolved. */
export interface Lookup {
  column: string;
  source_system: string;
  source_type: CanonicalType;
  source_id: string;
  /** Whether an unknown record is refused; otherwise the column stays null. */
  required: boolean;
  /** For an item that the source has not sent: the SKU of the item that is meant. */
  sku?: string | null;
  /** The source does not have the item any more: only its SKU is known. */
  sku_alone?: boolean | undefined;
}

/** The values that a mapping gives, by canonical column. A column with a lookup is null until that is resolved. */
export interface MappedRecord {
  values: Record<string, unknown>;
  lookups: Lookup[];
}
export interface Mapped extends MappedRecord {
  /** Undefined when the document maps no lines; empty when the payload has none. */
  lines?: MappedRecord[];
}

const MAX_LINES = 5_000;
/** Limits the time of a mapping to some tenths of a second. */
const MAX_STEPS = 1_000_000;

/**
 * Maps a payload to the canonical model (docs/interface.md, Inbound); throws `mapping_apply_error`, naming the field.
 */
export function applyMapping(mapping: ResourceMapping, payload: unknown, spend = budget(MAX_STEPS)): Mapped {
  const { resource, source_system, empty_as_null, fields, line_items } = mapping;
  const record = (fields: FieldMapping[], source: unknown, where: string) =>
    mapped(fields, source, { source_system, empty_as_null, where, spend });
  const header = record(fields, payload, `${resource}.`);
  if (!line_items) return header;
  const lines = at(`${resource}.${line_items.canonical_path}`, () => linesOf(line_items.source_path, payload, spend));
  return {
    ...header,
    lines: lines.map((line, i) => record(line_items.fields, line, `${resource}.${line_items.canonical_path}[${i}].`)),
  };
}

/** The lines that the path leads to; none for a missing list or null. */
function linesOf(path: Path, payload: unknown, spend: Spend): unknown[] {
  const found = find(path, payload, spend);
  const lines = isMany(path) ? found : (found[0] ?? []);
  if (!Array.isArray(lines)) throw new Fault(`${shown(lines)} is not a list`);
  if (lines.length > MAX_LINES) throw new Fault(`there are more than ${MAX_LINES} lines`);
  return lines;
}

interface Position {
  source_system: string;
  empty_as_null: boolean;
  where: string;
  spend: Spend;
}

function mapped(
  fields: FieldMapping[],
  source: unknown,
  { source_system, empty_as_null, where, spend }: Position,
): MappedRecord {
  const values: Record<string, unknown> = {};
  const lookups: Lookup[] = [];
  for (const field of fields) {
    const { canonical: column, required } = field;
    at(where + column, () => {
      const value = mappedValue(field, { source, spend, skipsBlank: field.empty_as_null ?? empty_as_null });
      if (value === null && required) throw new Fault("required, but the payload has nothing for it");
      const lookup = field.cross_system_lookup;
      values[column] = lookup ? null : convert(field, value);
      if (lookup && value !== null)
        lookups.push({ source_system, ...lookup, column, source_id: identifier(value), required });
    });
  }
  return { values, lookups };
}

/** The derived value, else the one at the path, else the default. A null counts as missing. */
function mappedValue(field: FieldMapping, context: Context): unknown {
  const { derived, source_path } = field;
  const { spend, skipsBlank } = context;
  const at = (path: Path) => single(path, context.source, spend, skipsBlank);
  spend(field.type === "decimal" ? 5 : 1);
  let value: unknown = null;
  if (derived && (!derived.when_present || at(derived.when_present) !== null)) {
    const result = derived.expression(context);
    spend(costOf(result));
    value = written(result);
    if (skipsBlank && isBlank(value)) value = null;
  } else if (source_path) value = at(source_path);
  return value ?? field.default ?? null;
}

/** An identifier as text; some systems send theirs as numbers. */
function identifier(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return plain(exact(value));
  throw new Fault(`${shown(value)} is not an identifier`);
}

/** Runs a part of the mapping; a Fault becomes a `mapping_apply_error` that names the part. */
function at<T>(where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw MappingApplyError({ message: `${where}: ${error.message}` });
  }
}
