import { savePreferences } from "../../activities/reports/dashboard-preferences.js";
import { checkPreferences, preferencesOf } from "../../src/reports/dashboard/preferences.js";
import { PreferencesEdit, SavedPreferences } from "../../src/reports/dashboard/shapes.js";
import { InvalidFields, NoFieldsToUpdate } from "../../src/reports/problems.js";
import { route, signedIn } from "../http/route.js";

/** The dashboard preferences of the caller: docs/interface.md, Dashboards. */

export const getDashboardPreferences = route("get /api/v1/dashboard/preferences", {
  for: signedIn,
  summary: "The dashboard preferences of the caller",
  answers: { 200: SavedPreferences },
  run: ({ by }) => preferencesOf(by.userId),
});

export const updateDashboardPreferences = route("put /api/v1/dashboard/preferences", {
  for: signedIn,
  summary: "Saves the dashboard preferences of the caller",
  body: PreferencesEdit,
  answers: { 200: SavedPreferences },
  errors: [InvalidFields, NoFieldsToUpdate],
  run: ({ body, by }) => savePreferences(checkPreferences(body), by),
});
