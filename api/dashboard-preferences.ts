import { z } from "zod";
import { savePreferences } from "../activities/dashboard-preferences.js";
import {
  preferencesIn,
  preferencesOf,
  ranges,
  views,
} from "../src/dashboard/preferences.js";
import { InvalidFields, NoFieldsToUpdate } from "../src/dashboard/problems.js";
import { metrics } from "../src/dashboard/productivity.js";
import { Text, Time } from "./fields.js";
import { page, route } from "./route.js";

/** How the caller likes the dashboards to open: spec 4.6, reference 07 §10. */

const Saved = z.strictObject({
  chart_order: z.array(z.enum(metrics)),
  default_range: z.enum(ranges),
  default_view: z.enum(views),
  updated_at: Time.nullable(),
});

export const readPreferences = route("get /api/v1/dashboard/preferences", {
  for: page("dashboard"),
  summary: "How the caller likes the dashboards to open",
  answers: { 200: Saved },
  run: ({ by }) => preferencesOf(by.userId),
});

export const writePreferences = route("put /api/v1/dashboard/preferences", {
  for: page("dashboard"),
  summary: "Keeps how the caller likes the dashboards to open",
  body: z.strictObject({
    chart_order: z.array(Text(64, "picking")).max(50).optional(),
    default_range: Text(64, "last_7d").optional(),
    default_view: Text(64, "table").optional(),
  }),
  answers: { 200: Saved },
  errors: [InvalidFields, NoFieldsToUpdate],
  run: ({ body, by }) => savePreferences(preferencesIn(body), by),
});
