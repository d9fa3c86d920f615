import { z } from "zod";
import { changeSettings } from "../../activities/system/settings.js";
import { SsoNotReady } from "../../src/auth/problems.js";
import { db } from "../../src/platform/db/db.js";
import { Message } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { Forbidden } from "../../src/platform/problem.js";
import { BadSetting, PackedOrdersExist, SettingNotFound } from "../../src/system/problems.js";
import { accessSettings, floorSettings } from "../../src/system/settings/known.js";
import { setting, settings } from "../../src/system/settings/queries.js";
import { Setting, SettingKey, SettingsEdit, SettingValue } from "../../src/system/settings/shapes.js";
import { sessions } from "../auth/caches.js";
import { checkProved } from "../auth/check-step-up.js";
import { checkProvider } from "../auth/oidc/addresses.js";
import { page, pageOrPart, route } from "../http/route.js";

/** Settings: docs/interface.md, Settings. Values are always text. */

export const listSettings = route("get /api/admin/settings", {
  for: page("settings"),
  summary: "All settings",
  query: z.object(wholeList(Setting)),
  answers: { 200: z.strictObject({ settings: z.array(Setting).describe("The settings, by their keys.") }) },
  run: async () => ({ settings: await settings() }),
});

export const getSetting = route("get /api/admin/settings/:key", {
  for: pageOrPart("settings", { in: "params", name: "key", values: floorSettings }),
  summary: "A setting",
  params: z.strictObject({
    key: SettingKey.meta({ description: "Name of the setting.", examples: ["session_timeout_hours"] }),
  }),
  answers: { 200: SettingValue },
  errors: [SettingNotFound],
  run: async ({ params: { key } }) => {
    const value = await setting(db, key);
    if (value === undefined) throw SettingNotFound();
    return { key, value };
  },
});

export const updateSettings = route("put /api/admin/settings", {
  for: page("settings"),
  stepUp: ({ settings }) => Object.keys(settings).some((key) => accessSettings.has(key)),
  summary: "Sets settings: all of them or none",
  body: SettingsEdit,
  answers: { 200: Message },
  errors: [PackedOrdersExist, BadSetting, SsoNotReady, Forbidden],
  run: async ({ body: { settings }, by, req, res, options }) => {
    // Whoever switches it on can do what it asks for from then on.
    if (settings.step_up === "true") await checkProved({ req, res, options });
    if (settings.sso_required === "true") await checkProvider(options);
    return sessions.invalidateAfter(changeSettings(settings, by));
  },
});
