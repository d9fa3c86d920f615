import { columns } from "../inbound/columns.js";
import type { SourceRecord } from "./connector.js";

/** What a machine reads is wrong when it is cut: these are left out instead. */
const leftOut = ["customer_email", "upc", "mpn"];
/** What a record is found by is refused when it is too long. */
const kept = ["sku", "so_number", "so_barcode"];

/** Texts of a source as its record's columns take them: what people read is cut to the length of its column. */
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
