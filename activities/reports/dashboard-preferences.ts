import type { Actor } from "../../src/platform/actor.js";
import { defaultPreferences } from "../../src/reports/dashboard/preferences.js";
import { type Preferences, SavedPreferences } from "../../src/reports/dashboard/shapes.js";
import { command } from "../command.js";

/** Saves the sent dashboard preferences of a user (docs/interface.md, Dashboards); the others stay as they are. */
export function savePreferences(
  changes: { [K in keyof Preferences]?: Preferences[K] | undefined },
  by: Actor,
): Promise<SavedPreferences> {
  return command("dashboard.savePreferences", by, changes, async (tx) => {
    const { chart_order, default_range, default_view } = changes;
    const saved = await tx.row(
      SavedPreferences,
      `insert into user_dashboard_preferences as p (user_id, chart_order, default_range, default_view)
       values ($1, coalesce($2, $5::jsonb), coalesce($3, $6), coalesce($4, $7))
       on conflict (user_id) do update
         set chart_order = coalesce($2, p.chart_order), default_range = coalesce($3, p.default_range),
             default_view = coalesce($4, p.default_view), updated_at = now()
       returning chart_order, default_range, default_view, updated_at`,
      [
        by.userId,
        chart_order && JSON.stringify(chart_order),
        default_range,
        default_view,
        JSON.stringify(defaultPreferences.chart_order),
        defaultPreferences.default_range,
        defaultPreferences.default_view,
      ],
    );
    tx.audit({ action: "UPDATE", entity: "USER", entityId: by.userId, details: { dashboard: changes } });
    return saved as SavedPreferences;
  });
}
