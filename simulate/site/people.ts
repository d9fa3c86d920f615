import { randomBytes } from "node:crypto";
import { type Caller, logIn } from "../http/caller.js";
import { all } from "./records.js";
import type { People } from "./site.js";

interface Who {
  username: string;
  full_name: string;
  role?: "ADMIN" | "USER";
  warehouse_ids?: number[];
  allowed_functions?: string[];
  page_keys?: string[];
}

export const usernameOf = (house: string, job: string) => `${house.toLowerCase()}-${job}`;

/** The users of the simulated warehouses. Their passwords are made anew for each run and kept nowhere. */
export async function hiring(office: Caller) {
  const users = await all(office, "/api/admin/users", "users");

  async function hire({ role = "USER", ...who }: Who): Promise<Caller> {
    const { username, ...rest } = { role, warehouse_ids: [], allowed_functions: [], page_keys: [], ...who };
    const password = `${randomBytes(18).toString("base64url")}-a1`;
    const known = users.find((user) => user.username === username);
    if (known) {
      const params = { user_id: known.user_id };
      await office.ok("PUT", "/api/admin/users/:user_id", { params, body: { ...rest, password, is_active: true } });
    } else await office.ok("POST", "/api/admin/users", { body: { username, ...rest, password } });
    return logIn(office.as({}), username, password);
  }

  async function peopleOf(
    warehouse_id: number,
    house: { code: string; pickers: number; packers: number },
  ): Promise<People> {
    const worker = (job: string, allowed_functions: string[], page_keys: string[] = []) =>
      hire({
        ...{ username: usernameOf(house.code, job), full_name: `${house.code}, ${job}` },
        ...{ warehouse_ids: [warehouse_id], allowed_functions, page_keys },
      });
    const team = (job: string, size: number, functions: string[], pages?: string[]) =>
      Promise.all(Array.from({ length: size }, (_, i) => worker(`${job}-${i + 1}`, functions, pages)));
    const [pickers, packers, stationOperator, shipper, receiver, putAway, counter, returnsDesk, backorderDesk] =
      await Promise.all([
        team("picker", house.pickers, ["pick"], ["transfer-orders"]),
        team("packer", house.packers, ["pack"]),
        worker("station", ["pack"]),
        worker("shipper", ["ship"]),
        worker("receiver", ["receive"]),
        worker("put-away", ["putaway", "transfer"]),
        worker("counter", ["count"]),
        worker("returns-desk", [], ["sales-orders"]),
        worker("backorder-desk", [], ["sales-orders", "backorders"]),
      ]);
    return { pickers, packers, stationOperator, shipper, receiver, putAway, counter, returnsDesk, backorderDesk };
  }

  const supervisor = () => hire({ username: "sim-supervisor", full_name: "Sam Supervisor", role: "ADMIN" });
  return { peopleOf, supervisor };
}
