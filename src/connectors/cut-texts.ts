import { columns } from "../inbound/columns.js";
import type { SourceRecord } from "./connector.js";

/** Texts that a machine reads are wrong when they are cut, so these are left out instead. */
const leftOut = ["customer_email", "upc", "mpn"];
/** A key of a record is refused when it is too long. */
const kept = ["sku", "so_number", "so_barcode"];

/** Texts of a source for their columns: those that people read are cut to the length of the column. */
export function cutTexts(resource: SourceRecord["resource"], values: Record<string, unknown>): Record<string, unknown> {
  const cut = Object.entries(values).map(([name, value]) => {
    const column = columns[resource][name];
    const longest = column?.kind === "text" ? column.maxLength : undefined;
    if (typeof value !== "string" || longest === undefined || kept.includes(name)) return [name, value];
    const characters = [...value];
    if (characters.length <= longest) return [name, value];
    return [name, leftOut.includes(name) ? null : characters.slice(0, longest).join("")];
  });
  return Object.fromEntries(cut);
}
