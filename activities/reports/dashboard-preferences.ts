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
       values (:user_id, coalesce(:chart_order, :first_chart_order::jsonb), coalesce(:default_range, :first_range),
               coalesce(:default_view, :first_view))
       on conflict (user_id) do update
         set chart_order = coalesce(:chart_order, p.chart_order),
             default_range = coalesce(:default_range, p.default_range),
             default_view = coalesce(:default_view, p.default_view), updated_at = now()
       returning chart_order, default_range, default_view, updated_at`,
      {
        user_id: by.userId,
        chart_order: chart_order && JSON.stringify(chart_order),
        default_range,
        default_view,
        first_chart_order: JSON.stringify(defaultPreferences.chart_order),
        first_range: defaultPreferences.default_range,
        first_view: defaultPreferences.default_view,
      },
    );
    tx.audit({ action: "UPDATE", entity: "USER", entityId: by.userId, details: { dashboard: changes } });
    return saved as SavedPreferences;
  });
}
