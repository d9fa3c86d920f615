import { db } from "../db.js";
import { InvalidFields, NoFieldsToUpdate } from "./problems.js";
import { type Metric, metrics } from "./productivity.js";

export const ranges = [
  "today",
  "yesterday",
  "last_7d",
  "last_30d",
  "custom",
] as const;
export const views = ["charts", "table"] as const;

/** How a user likes the dashboards to open (reference 07 §10). */
export interface Preferences {
  chart_order: Metric[];
  default_range: (typeof ranges)[number];
  default_view: (typeof views)[number];
}

export const standard: Preferences = {
  chart_order: [...metrics],
  default_range: "today",
  default_view: "charts",
};

/** What is sent of preferences: some of them. */
export interface Sent {
  chart_order?: string[] | undefined;
  default_range?: string | undefined;
  default_view?: string | undefined;
}

/** The preferences among what was sent, or a refusal that names what is none. */
export function preferencesIn(sent: Sent): Partial<Preferences> {
  const { chart_order = [], default_range, default_view } = sent;
  if (Object.values(sent).every((value) => value === undefined))
    throw NoFieldsToUpdate();
  const twice = chart_order.find((slug, i) => chart_order.indexOf(slug) !== i);
  if (twice !== undefined)
    throw invalid("chart_order", twice, "is there twice");
  for (const slug of chart_order)
    if (!among(metrics, slug)) throw invalid("chart_order", slug);
  if (default_range !== undefined && !among(ranges, default_range))
    throw invalid("default_range", default_range);
  if (default_view !== undefined && !among(views, default_view))
    throw invalid("default_view", default_view);
  return sent as Partial<Preferences>;
}

const among = (known: readonly string[], word: string) => known.includes(word);

const invalid = (field: keyof Preferences, word: string, why = "is unknown") =>
  InvalidFields(
    {},
    { details: [{ type: "value_error", loc: [field], msg: `${word} ${why}` }] },
  );

export async function preferencesOf(
  userId: number,
): Promise<Preferences & { updated_at: string | null }> {
  const saved = await db.row<Preferences & { updated_at: string }>(
    "select chart_order, default_range, default_view, updated_at from user_dashboard_preferences where user_id = $1",
    [userId],
  );
  return saved ?? { ...standard, updated_at: null };
}
