import type { Day } from "../day.js";

/** Syncs with the built-in `example` connector, which reaches nothing and always succeeds. */

const EXAMPLE = "/api/admin/connectors/:name";
const MINUTES_BETWEEN = 60;
/** Real time: the route allows 20 a minute. */
const LEAST_MS = 10_000;

export async function connectorSync(day: Day): Promise<void> {
  const { clock, site, figures } = day;
  const warehouse_id = site.houses[0].warehouse_id;
  const params = { name: "example" };
  const credentials = { api_key: "simulated", base_url: "https://shop.example.com" };
  const stored = await site.office.post(`${EXAMPLE}/credentials`, { params, body: { warehouse_id, credentials } });
  if (!stored.ok) return;
  while (!clock.over) {
    for (const sync_type of ["items", "orders", "inventory"]) {
      const started = await site.office.post(`${EXAMPLE}/sync/:sync_type`, {
        params: { ...params, sync_type },
        body: { warehouse_id },
        expected: ["sync_already_running"],
      });
      if (started.ok) figures.add("syncs");
    }
    await Promise.all([clock.until(clock.minute + MINUTES_BETWEEN), clock.real(LEAST_MS)]);
  }
}
