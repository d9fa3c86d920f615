import type { Caller } from "../http/caller.js";
import type { House, Site } from "./site.js";

/** The tokens of a run: issued at its beginning and deleted at its end, because their secrets are kept nowhere. */
export interface Tokens {
  poller: Caller;
  /** Of each warehouse one, because a token may begin two snapshots a minute. */
  snapshots: Map<number, Caller>;
  till: Caller;
  station: Caller;
  remove(): Promise<void>;
}

const TOKENS = "/api/admin/tokens";

export async function issueTokens({ office, houses }: Site, run: string): Promise<Tokens> {
  const ids: number[] = [];
  const { event_types } = await office.ok("GET", "/api/admin/scope-catalog");
  const issue = async (name: string, of: readonly House[], scope: object) => {
    const warehouse_ids = of.map(({ warehouse_id }) => warehouse_id);
    const body = { token_name: `simulated ${name} ${run}`, warehouse_ids, ...scope };
    const { token_id, token } = await office.ok("POST", TOKENS, { body });
    ids.push(token_id);
    return office.as({ "x-wms-token": token });
  };
  const snapshots = new Map<number, Caller>();
  for (const house of houses)
    snapshots.set(house.warehouse_id, await issue("reader", [house], { endpoints: ["snapshot.inventory"] }));
  return {
    snapshots,
    poller: await issue("poller", houses, { endpoints: ["events.poll"], event_types }),
    till: await issue("till", houses.slice(0, 1), { endpoints: ["pos.dispatch"] }),
    station: await issue("station", houses, { endpoints: ["station.dispatch"] }),
    remove: async () => {
      for (const token_id of ids) await office.call("DELETE", `${TOKENS}/:token_id`, { params: { token_id } });
    },
  };
}
