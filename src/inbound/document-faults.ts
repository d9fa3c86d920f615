import type { z } from "zod";
import { type Resource, resources } from "../auth/tokens/scope.js";
import type { Columns } from "../platform/pushed-columns.js";
import { adoptionKeys, canonicalTypes, columns, lineColumns } from "./columns.js";

/** All faults of a document, one sentence each, beginning with resource and field. */
export function faultsOf(raw: unknown, issues: z.core.$ZodIssue[]): string[] {
  const faults = issues.map((issue) => {
    const place = placeOf(raw, issue.path);
    return place ? `${place}: ${messageOf(issue)}` : messageOf(issue);
  });
  for (const resource of resources) {
    const declared = at(raw, ["resources", resource]);
    if (declared !== undefined) faults.push(...resourceFaults(resource, declared));
  }
  return faults;
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => message).join("; ");
  return issue.code !== "custom" && issue.input === undefined ? "is missing" : issue.message;
}

/** Faults that the schema cannot find: unknown columns, duplicates, wrong types. The document may be invalid. */
function resourceFaults(resource: Resource, declared: unknown): string[] {
  const type = at(declared, ["canonical_type"]);
  const faults = columnFaults(declared, `${resource}, field`, columns[resource]);
  if (type !== canonicalTypes[resource])
    faults.push(`${resource}, canonical_type: has to be ${canonicalTypes[resource]}`);
  faults.push(...adoptionFaults(resource, declared));
  const block = at(declared, ["line_items"]);
  if (block === undefined) return faults;
  const ofLines = lineColumns[resource];
  if (!ofLines) return [...faults, `${resource}, line_items: there are none`];
  return [
    ...faults,
    ...columnFaults(block, `${resource}, line field`, ofLines),
    ...missingFaults(block, `${resource}, line field`),
  ];
}

function adoptionFaults(resource: Resource, declared: unknown): string[] {
  const key = at(declared, ["adopt_by"]);
  if (key === undefined) return [];
  const keys: readonly unknown[] = adoptionKeys[resource];
  if (!keys.includes(key)) return [`${resource}, adopt_by: has to be ${keys.join(" or ")}`];
  return canonicalsOf(declared).includes(key as string) ? [] : [`${resource}, adopt_by: ${key} is not mapped`];
}

function columnFaults(block: unknown, where: string, known: Columns): string[] {
  const names = canonicalsOf(block);
  return names.flatMap((name, i) => {
    if (!Object.hasOwn(known, name)) return [`${where} ${name}: there is no such column to map`];
    return names.indexOf(name) < i ? [`${where} ${name}: mapped twice`] : [];
  });
}

/** A line needs an item and a quantity. */
function missingFaults(block: unknown, where: string): string[] {
  const names = canonicalsOf(block);
  const faults = ["item_id", "quantity_ordered"]
    .filter((name) => !names.includes(name))
    .map((name) => `${where} ${name}: is missing`);
  const item = names.indexOf("item_id");
  const type = at(block, ["fields", item, "cross_system_lookup", "source_type"]);
  if (type !== undefined && type !== "item")
    faults.push(`${where} item_id: cross_system_lookup has to be of source_type item`);
  return faults;
}

function canonicalsOf(block: unknown): string[] {
  const fields = at(block, ["fields"]);
  if (!Array.isArray(fields)) return [];
  return fields.map((field) => String(at(field, ["canonical"])));
}

/** `sales_orders, line field item_id, type` for `resources.sales_orders.line_items.fields.0.type`. */
function placeOf(raw: unknown, path: PropertyKey[]): string {
  const [top, resource, ...rest] = path.map(String);
  if (top !== "resources" || resource === undefined) return path.join(".");
  const fields = rest.indexOf("fields");
  const index = rest[fields + 1];
  if (fields < 0 || index === undefined) return [resource, rest.join(".")].filter(Boolean).join(", ");
  const name = at(raw, [top, resource, ...rest.slice(0, fields + 2), "canonical"]);
  const kind = rest[0] === "line_items" ? "line field" : "field";
  const below = rest.slice(fields + 2).join(".");
  const field = `${kind} ${typeof name === "string" ? name : `${index} (without a name)`}`;
  return [resource, field, below].filter(Boolean).join(", ");
}

/** The value at a path, undefined where there is none. */
function at(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, key)
        ? (found as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}
