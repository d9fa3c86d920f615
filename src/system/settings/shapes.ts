import { z } from "zod";
import { Id, Name, Text, Time } from "../../platform/fields.js";

/** Settings: docs/interface.md, Settings. Values are always text. */

export const SettingKey = Name(100, "allow_over_receiving");

export const Setting = z
  .strictObject({
    id: Id,
    key: z.string(),
    value: z.string(),
    updated_at: Time,
  })
  .meta({ id: "Setting", description: "A setting of the service. Its value is always text." });
export type Setting = z.infer<typeof Setting>;

export const SettingValue = z.strictObject({ key: z.string(), value: z.string() });

export const SettingsEdit = z.strictObject({
  settings: z
    .record(SettingKey, Text(10_000, "true"))
    .refine((values) => Object.keys(values).length > 0, "At least one setting is needed"),
});
