import { hashPassword } from "../../../src/auth/password.js";
import { floorFunctions } from "../../../src/auth/rights.js";
import { dispatchSlugs } from "../../../src/auth/tokens/scope.js";
import type { Caller } from "../caller.js";
import { db } from "../db.js";
import { sender } from "../inbound.js";
import type { Entry } from "../matrix/id-names.js";
import { allKeys, fullOutbound } from "../matrix/strangers.js";
import { partner } from "../polling.js";
import type { TestService } from "../service.js";
import { tokenCaller } from "../tokens.js";
import { ASKERS_FROM } from "./pool.js";
import type { Drawn } from "./requests.js";

/** Those who ask, by what they may. */
export async function askers(service: TestService, warehouse_ids: number[]) {
  for (const sequence of ["users_user_id_seq", "wms_tokens_token_id_seq"])
    await db.run("select setval($1::regclass, $2)", [sequence, ASKERS_FROM]);
  const admin = await service.user({ role: "ADMIN", warehouse_ids });
  const office = await service.user({ warehouse_ids, page_keys: allKeys });
  const floor = await service.user({ warehouse_ids });
  await db.run("update users set allowed_functions = $2 where user_id = $1", [floor.userId, floorFunctions]);
  // Whom a logout does not keep from anything else.
  const leaver = await service.user({ warehouse_ids });
  // Not the one of the examples, which would change it.
  await db.run("update users set password_hash = $1 where password_hash = 'set by nobody'", [
    await hashPassword("nobody asks with this 1"),
  ]);
  const bearer = admin.headers.authorization?.replace("Bearer ", "");
  const browser = service.anyone.with({ cookie: `service_auth=${bearer}; service_csrf=one`, "x-csrf-token": "one" });
  const users = [admin, admin, office, office, floor, browser];
  const inbound = [await sender(service, { warehouse_ids })];
  const outbound = [
    await partner(service, warehouse_ids, fullOutbound),
    await partner(service, warehouse_ids.slice(0, 1), fullOutbound),
  ];
  const dispatch = [(await tokenCaller(service, { endpoints: [...dispatchSlugs], warehouse_ids })).caller];
  for (const sequence of ["users_user_id_seq", "wms_tokens_token_id_seq"])
    await db.run("select setval($1::regclass, 1000)", [sequence]);
  const everybody = [service.anyone, ...users, ...inbound, ...outbound, ...dispatch];

  return ({ route }: Entry, { who, stranger }: Drawn): Caller => {
    const open = [service.anyone, leaver];
    const able = { inbound, outbound, dispatch, open }[route.for.kind as string];
    const chosen = stranger && able !== open ? everybody : (able ?? users);
    return chosen[who % chosen.length] as Caller;
  };
}
