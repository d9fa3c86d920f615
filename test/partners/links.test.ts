import assert from "node:assert/strict";
import jwt from "jsonwebtoken";
import { signPartnerSession } from "../../src/auth/jwt.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { keyCaller } from "../support/keys.js";
import { logged } from "../support/log.js";
import { partnerCaller } from "../support/partners.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { connector } from "../support/webhooks.js";

const LINKS = "/api/admin/partner-links";
const SESSION = "/api/partner/session";
const ME = "/api/partner/me";
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe("links of partners", () => {
  const service = testService();
  const make = async (fields = {}) =>
    service.admin.ok("POST", LINKS, { connector_id: await connector(), link_name: "web team", ...fields });
  const withSession = (session: string) => service.anyone.with({ "x-partner-session": session });

  /** What the log says of refusals. */
  async function refusals(work: () => Promise<unknown>) {
    const lines = await logged("info", work);
    return lines
      .filter(({ msg }) => msg === "request refused")
      .map(({ event, kind, reason, partnerLinkId }) => ({ event, kind, reason, partnerLinkId }));
  }

  it("are shown once, kept as a hash, listed with their last use, and audited", async () => {
    const warehouse_id = await fixtures.warehouse();
    const mark = await auditMark();
    const asked = { warehouse_ids: [warehouse_id, warehouse_id], event_types: ["ship.confirmed", "ship.confirmed"] };
    const { token, path, ...made } = await make(asked);
    assert.match(token, /^wpl_[\w-]{43}$/);
    assert.equal(path, `/partner/#${token}`);
    assert.deepEqual(
      [made.made_by, made.warehouse_ids, made.event_types, made.revoked_at, made.last_used_at],
      [service.admin.username, [warehouse_id], ["ship.confirmed"], null, null],
    );
    assert.equal(Math.round((Date.parse(made.expires_at) - Date.now()) / DAY_MS), 30);
    const listed = () => service.admin.ok("GET", `${LINKS}?connector_id=${made.connector_id}`);
    assert.deepEqual((await listed()).partner_links, [made]);
    const { session } = await service.anyone.ok("POST", SESSION, { token });
    assert.equal((await withSession(session).get(ME)).status, 200);
    assert.ok((await listed()).partner_links[0].last_used_at >= made.made_at);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.entity_type, row?.entity_id, row?.user_id],
      ["PARTNER_LINK_MAKE", "PARTNER_LINK", made.partner_link_id, service.admin.username],
    );
    const kept = await db.rows(
      `select row_to_json(l)::text from partner_links l union all select row_to_json(c)::text from command_log c
       union all select row_to_json(a)::text from audit_log a`,
    );
    assert.ok(!JSON.stringify(kept).includes(token.slice(4)));
  });

  it("last a year at most, of a connector, warehouses and events that there are", async () => {
    const connector_id = await connector();
    const code = async (fields: object) =>
      (await service.admin.post(LINKS, { connector_id, link_name: "web team", ...fields })).body;
    assert.equal(
      (await service.admin.post(LINKS, { connector_id, link_name: "a", expires_at: inDays(366) })).code,
      "partner_link_lasts_too_long",
    );
    assert.equal((await make({ expires_at: inDays(364) })).revoked_at, null);
    assert.equal((await code({ connector_id: "nobody" })).error, "connector_not_found");
    assert.equal((await code({ warehouse_ids: [999_999] })).error, "unknown_warehouse_ids");
    assert.equal((await code({ event_types: ["no.such"] })).error, "unknown_event_types");
    for (const fields of [{ link_name: " " }, { warehouse_ids: null }, { expires_at: "tomorrow" }])
      assert.equal((await service.admin.post(LINKS, { connector_id, link_name: "a", ...fields })).status, 400);
  });

  it("are made and revoked by ADMINs in person alone", async () => {
    const user = await service.user({ page_keys: ["webhooks", "tokens", "consumer-groups"] });
    const key = await keyCaller(service, service.admin);
    const { partner_link_id } = await make();
    for (const [caller, code] of [
      [user, "forbidden"],
      [key, "not_with_a_key"],
    ] as [Caller, string][]) {
      assert.equal((await caller.post(LINKS, { connector_id: await connector(), link_name: "a" })).code, code);
      assert.equal((await caller.delete(`${LINKS}/${partner_link_id}`)).code, code);
    }
  });

  it("end with their sessions when they are revoked, which is told once", async () => {
    const { token, partner_link_id } = await make();
    const { session } = await service.anyone.ok("POST", SESSION, { token });
    const mark = await auditMark();
    await service.admin.ok("DELETE", `${LINKS}/${partner_link_id}`);
    const [row] = await auditSince(mark);
    assert.deepEqual([row?.action_type, row?.entity_id], ["PARTNER_LINK_REVOKE", partner_link_id]);
    const lines = await refusals(async () => {
      assert.equal((await withSession(session).get(ME)).status, 401);
      assert.equal((await service.anyone.post(SESSION, { token })).code, "invalid_token");
    });
    const line = { event: "unauthenticated", kind: "invalid_token", reason: "the partner link was revoked" };
    assert.deepEqual(
      lines,
      [line, line].map((one) => ({ ...one, partnerLinkId: partner_link_id })),
    );
    const [{ revoked_at }] = (await service.admin.ok("GET", `${LINKS}?sort=-partner_link_id&per_page=1`)).partner_links;
    await service.admin.ok("DELETE", `${LINKS}/${partner_link_id}`);
    const [again] = (await service.admin.ok("GET", `${LINKS}?sort=-partner_link_id&per_page=1`)).partner_links;
    assert.equal(again.revoked_at, revoked_at);
    assert.equal((await service.admin.delete(`${LINKS}/999999`)).code, "partner_link_not_found");
  });

  it("open nothing when they have expired, are guessed, or another secret signed their session", async () => {
    const connector_id = await connector();
    const past = await partnerCaller(service, { connector_id, expires_at: "2020-01-01T00:00:00Z" });
    const open = await partnerCaller(service, { connector_id });
    const { partner_link_id: linkId } = open;
    const { jwtSecret } = service.config;
    const madeAt = "2020-01-01T00:00:00Z";
    const sessions = {
      "the partner link has expired": past.session,
      "no such partner link": signPartnerSession({ linkId, madeAt }, jwtSecret, 60),
    };
    for (const [reason, session] of Object.entries(sessions)) {
      const [line] = await refusals(async () => assert.equal((await withSession(session).get(ME)).status, 401));
      assert.equal(line?.reason, reason);
    }
    const invalid = [
      signPartnerSession({ linkId, madeAt }, "another secret of thirty-two bytes", 60),
      signPartnerSession({ linkId, madeAt }, jwtSecret, -10),
      jwt.sign({ partner_link_id: linkId, made_at: madeAt }, "", { algorithm: "none" }),
      open.token,
      "x.y.z",
    ];
    const lines = await refusals(async () => {
      for (const session of invalid) assert.equal((await withSession(session).get(ME)).code, "invalid_token");
    });
    assert.deepEqual([...new Set(lines.map(({ reason }) => reason))], ["no valid session of a partner"]);
    assert.equal(lines.length, invalid.length);
    const guesses = await refusals(async () => {
      for (const token of [past.token, "wpl_guessed", open.session.slice(0, 99)])
        assert.equal((await service.anyone.post(SESSION, { token })).code, "invalid_token");
    });
    assert.deepEqual(
      guesses.map(({ event, reason }) => [event, reason]),
      [
        ["unauthenticated", "the partner link has expired"],
        ["unauthenticated", "no such partner link"],
        ["unauthenticated", "no such partner link"],
      ],
    );
  });

  it("are nobody where a user is wanted, and a user is none", async () => {
    const { session, caller } = await partnerCaller(service, { connector_id: await connector() });
    assert.equal((await caller.get("/api/admin/webhooks")).code, "unauthorized");
    const bearer = service.anyone.with({ authorization: `Bearer ${session}` });
    assert.equal((await bearer.get("/api/admin/webhooks")).code, "token_expired");
    assert.equal((await bearer.get(ME)).code, "invalid_token");
    assert.equal((await service.admin.get(ME)).code, "invalid_token");
    const own = (service.admin.headers.authorization as string).replace("Bearer ", "");
    assert.equal((await withSession(own).get(ME)).code, "invalid_token");
  });

  it("have a session of eight hours, and no longer than the link", async () => {
    const connector_id = await connector();
    const until = async (token: string) => {
      const { session, expires_at } = await service.anyone.ok("POST", SESSION, { token });
      const { exp } = jwt.decode(session) as jwt.JwtPayload;
      assert.ok(Math.abs(Date.parse(expires_at) / 1000 - (exp as number)) < 5);
      return ((exp as number) * 1000 - Date.now()) / 3_600_000;
    };
    const long = await partnerCaller(service, { connector_id });
    const short = await partnerCaller(service, { connector_id, expires_at: inDays(1 / 24) });
    assert.equal(Math.round(await until(long.token)), 8);
    assert.equal(Math.round(await until(short.token)), 1);
  });

  it("are deleted with their connector", async () => {
    const connector_id = await connector();
    const { caller } = await partnerCaller(service, { connector_id });
    await service.admin.ok("DELETE", `/api/admin/connector-registry/${connector_id}`);
    assert.equal((await caller.get(ME)).code, "invalid_token");
  });
});
