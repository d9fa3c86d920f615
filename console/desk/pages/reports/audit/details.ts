import { NOTHING } from "../../../../shared/format.js";
import { t } from "../../../../texts/audit.js";
import { fieldText } from "../../../../texts/fields.js";
import { settingText } from "../../system/known.js";

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

type Details = Record<string, unknown>;

const isObject = (value: unknown): value is Details =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the details of a row say was changed, and what they say besides. */
export function readDetails(details: Details): { changes: Change[]; facts: [field: string, value: unknown][] } {
  const { changed, key, old_value, new_value, ...others } = details;
  const edits = isObject(changed) ? Object.entries(changed) : [];
  const changes = edits.map(([field, edit]) =>
    isObject(edit) ? { field, before: edit.old, after: edit.new } : { field, before: undefined, after: edit },
  );
  if ("new_value" in details) changes.push({ field: String(key ?? "value"), before: old_value, after: new_value });
  const facts = Object.entries(key === undefined || "new_value" in details ? others : { key, ...others });
  return { changes, facts };
}

const isSetting = (entity_type: string) => entity_type === "SETTING";

/** What a record is called on the pages of the desk; the log has settings by their keys. */
export const nameOf = (entity_type: string, name: string | null) =>
  name !== null && isSetting(entity_type) ? settingText(name) : name;

/** What a changed field is called: that of a setting is the setting. */
export const changedText = (entity_type: string, field: string) =>
  isSetting(entity_type) ? settingText(field) : fieldText(field);

/** A value as a person reads it. */
export function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map(wordsOf).join(", ") || NOTHING;
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name.replaceAll("_", " ")}: ${wordsOf(one)}`)
      .join("; ");
  return String(value);
}
