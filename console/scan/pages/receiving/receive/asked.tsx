import { type ReceivingLine, Refusal } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/receiving.js";
import { Refused } from "../../../components/parts.js";
import type { Said } from "../on-device/done.js";
import type { Progress } from "./progress.js";

/** What the item asks for and the label does not say. */
export function missingOf(line: ReceivingLine, { lot, expiry, produced }: Progress): (keyof Said)[] {
  const missing: (keyof Said)[] = [];
  if (line.lot_policy === "required" && !lot) missing.push("lot_number");
  const follows = line.shelf_life_days !== null;
  if (!line.requires_expiry || expiry) return missing;
  if (!follows) missing.push("expiry_date");
  else if (line.shelf_life_from === "production" && !produced) missing.push("production_date");
  return missing;
}

/** What may be said besides, where a lot is kept if there is one and the label does not say it. */
export const offeredOf = (line: ReceivingLine, { lot, expiry }: Progress, asked: (keyof Said)[]): (keyof Said)[] =>
  line.lot_policy !== "optional" || lot
    ? []
    : [
        "lot_number" as const,
        ...(expiry || asked.includes("expiry_date") || asked.includes("production_date")
          ? []
          : (["expiry_date"] as const)),
      ];

/** The field that a refusal is about, if it is one of these. */
export const fieldOf = (error: unknown, fields: (keyof Said)[]) =>
  error instanceof Refusal ? fields.find((field) => field === error.body.field) : undefined;

interface AskedProps {
  fields: (keyof Said)[];
  said: Said;
  set: (said: Said) => void;
  error: unknown;
}

/** Asks for it, with the refusal at the field that it is about. */
export function Asked({ fields, said, set, error }: AskedProps) {
  const wrong = fieldOf(error, fields);
  return fields.map((field) => (
    <div key={field}>
      <label>
        {t(field)}
        <input
          type={field === "lot_number" ? "text" : "date"}
          value={said[field] ?? ""}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={wrong === field}
          onChange={({ currentTarget }) => set({ ...said, [field]: currentTarget.value })}
        />
      </label>
      {wrong === field && <Refused error={error} />}
    </div>
  ));
}
