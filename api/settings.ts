import { z } from "zod";
import { changeSettings } from "../activities/settings.js";
import { db } from "../src/db.js";
import {
  BadSetting,
  PackedOrdersExist,
  SettingNotFound,
} from "../src/settings/problems.js";
import { setting, settings } from "../src/settings/queries.js";
import { Id, Message, Name, Text, Time } from "./fields.js";
import { page, route } from "./route.js";

/** Settings: spec 4.6, reference 03 §7. Values are always text. */

const Key = Name(100, "allow_over_receiving");

export const listSettings = route("get /api/admin/settings", {
  for: page("settings"),
  summary: "Every setting",
  answers: {
    200: z.strictObject({
      settings: z.array(
        z.strictObject({
          id: Id,
          key: z.string(),
          value: z.string(),
          updated_at: Time,
        }),
      ),
    }),
  },
  run: async () => ({ settings: await settings() }),
});

export const readSetting = route("get /api/admin/settings/:key", {
  for: page("settings"),
  summary: "A setting",
  params: z.strictObject({ key: Key }),
  answers: { 200: z.strictObject({ key: z.string(), value: z.string() }) },
  errors: [SettingNotFound],
  run: async ({ params: { key } }) => {
    const value = await setting(db, key);
    if (value === undefined) throw SettingNotFound();
    return { key, value };
  },
});

export const writeSettings = route("put /api/admin/settings", {
  for: page("settings"),
  summary: "Sets settings: all of them or none",
  body: z.strictObject({
    settings: z
      .record(Key, Text(10_000, "true"))
      .refine(
        (values) => Object.keys(values).length > 0,
        "At least one setting is needed",
      ),
  }),
  answers: { 200: Message },
  errors: [PackedOrdersExist, BadSetting],
  run: ({ body, by }) => changeSettings(body.settings, by),
});
