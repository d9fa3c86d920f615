import { db } from "../../platform/db/db.js";
import { InvalidFields, NoFieldsToUpdate } from "../problems.js";
import { defaultRanges, metrics, type Preferences, type PreferencesEdit, SavedPreferences, views } from "./shapes.js";

export const defaultPreferences: Preferences = {
  chart_order: [...metrics],
  default_range: "today",
  default_view: "charts",
};

/** Checks the sent preferences; throws 422 that names the first unknown one. */
export function checkPreferences(sent: PreferencesEdit): Partial<Preferences> {
  const { chart_order = [], default_range, default_view } = sent;
  if (Object.values(sent).every((value) => value === undefined)) throw NoFieldsToUpdate();
  const twice = chart_order.find((slug, i) => chart_order.indexOf(slug) !== i);
  if (twice !== undefined) throw invalid("chart_order", twice, "is there twice");
  for (const slug of chart_order) if (!isOneOf(metrics, slug)) throw invalid("chart_order", slug);
  if (default_range !== undefined && !isOneOf(defaultRanges, default_range))
    throw invalid("default_range", default_range);
  if (default_view !== undefined && !isOneOf(views, default_view)) throw invalid("default_view", default_view);
  return sent as Partial<Preferences>;
}

const isOneOf = (known: readonly string[], word: string) => known.includes(word);

const invalid = (field: keyof Preferences, word: string, why = "is unknown") =>
  InvalidFields({}, { details: [{ type: "value_error", loc: [field], msg: `${word} ${why}` }] });

export async function preferencesOf(userId: number): Promise<SavedPreferences> {
  const saved = await db.row(
    SavedPreferences,
    "select chart_order, default_range, default_view, updated_at from user_dashboard_preferences where user_id = $1",
    [userId],
  );
  return saved ?? { ...defaultPreferences, updated_at: null };
}
