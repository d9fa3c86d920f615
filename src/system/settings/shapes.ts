import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Name, Text } from "../../platform/fields.js";

/** Settings: docs/interface.md, Settings. Values are always text. */

export const SettingKey = Name(100, "allow_over_receiving");

/** What becomes of an order that was picked short: `short_decision_otherwise`, and the choice of a person. */
export const ShortChoice = z.enum(["ship_short", "wait", "cancel_rest"]);
export type ShortChoice = z.infer<typeof ShortChoice>;

export const Setting = z
  .strictObject({ id: field.AnyId, key: field.Key, value: field.Value, updated_at: field.UpdatedAt })
  .meta({ id: "Setting", description: "A setting of the service. Its value is always text." });
export type Setting = z.infer<typeof Setting>;

export const SettingValue = z.strictObject({ key: field.Key, value: field.Value });

export const SettingsEdit = z.strictObject({
  settings: z
    .record(SettingKey, Text(10_000, "true"))
    .refine((values) => Object.keys(values).length > 0, "At least one setting is needed")
    .describe("The settings, by their keys."),
});
