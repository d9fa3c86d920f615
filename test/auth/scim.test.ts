import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { envOf, type IdentityProvider, openIdentityProvider, signInByProvider } from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { person } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";

const TOKEN = "k3Jw9xQ2mZ7vB4nL8tR5cY1pF6hD0sGa";
const OTHER = "a7Gs0dH6fP1yC5rT8lN4bV7zM2qX9wJ3";
const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

describe("provisioning by the provider", () => {
  let idp: IdentityProvider;
  let service: TestService;
  let scim: Caller;
  let here: number;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: { ...envOf(idp), SCIM_TOKENS: `${OTHER}, ${TOKEN}` } });
    idp.serve(service.url);
    scim = provider(TOKEN);
    here = await warehouse();
    const groups = [
      { group: "pickers", warehouse_ids: [here], allowed_functions: ["pick"] },
      { group: "office", page_keys: ["items"] },
      { group: "it", role: "ADMIN" },
    ];
    const mapping = { username_claim: "preferred_username", groups_claim: "groups", groups };
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", mapping);
  });
  after(async () => {
    await service.close();
    await idp.close();
  });
  afterEach(() => db.run("delete from provisioned_groups"));

  const provider = (token: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
    return new Caller(`${service.url}/scim/v2`, headers, "", 0);
  };
  const name = () => `scim-${unique().toLowerCase()}`;
  const newUser = async (fields: object = {}) =>
    scim.ok("POST", "/Users", { schemas: [`${CORE}:User`], userName: name(), displayName: "Ann Packer", ...fields });
  const newGroup = (displayName: string, ...members: { id: string }[]) =>
    scim.ok("POST", "/Groups", {
      ...{ schemas: [`${CORE}:Group`], displayName },
      members: members.map(({ id }) => ({ value: id })),
    });
  const patch = (path: string, ...Operations: object[]) => scim.patch(path, { schemas: [PATCH], Operations });
  const rowOf = (username: string) =>
    db.row<{ role: string; is_active: boolean; allowed_functions: string[]; warehouse_ids: number[]; pages: number }>(
      `select role, is_active, allowed_functions, warehouse_ids,
              (select count(*)::int from user_page_permissions p where p.user_id = u.user_id) as pages
       from users u where username = $1`,
      [username],
    );

  describe("a user", () => {
    it("is made without rights and without a password, found by its names, and read", async () => {
      const mark = await auditMark();
      const externalId = randomUUID();
      const made = await newUser({ externalId, active: "True", emails: [{ value: "a@example.com" }] });
      assert.deepEqual(
        [made.schemas, made.active, made.displayName, made.externalId, made.groups],
        [[`${CORE}:User`], true, "Ann Packer", externalId, []],
      );
      assert.equal(made.meta.location, `${service.url}/scim/v2/Users/${made.id}`);
      assert.deepEqual(await scim.ok("GET", `/Users/${made.id}`), made);
      for (const filter of [
        `userName eq "${made.userName}"`,
        `externalId eq "${externalId}"`,
        `USERNAME EQ "${made.userName}"`,
        `id eq "${made.id}"`,
      ]) {
        const found = await scim.ok("GET", `/Users?${new URLSearchParams({ filter })}`);
        assert.deepEqual([found.totalResults, found.Resources], [1, [made]], filter);
      }
      const none = await scim.ok("GET", `/Users?${new URLSearchParams({ filter: 'userName eq "nobody"' })}`);
      assert.deepEqual([none.totalResults, none.itemsPerPage, none.Resources], [0, 0, []]);
      const rows = pluckAll(await auditSince(mark), "action_type", "user_id", "details");
      assert.deepEqual(rows, [["CREATE", "system:scim", { username: made.userName, externalId, active: true }]]);
      const row = await rowOf(made.userName);
      assert.deepEqual([row?.role, row?.allowed_functions, row?.pages], ["USER", [], 0]);
    });

    it("is listed in pages", async () => {
      for (let i = 0; i < 3; i++) await newUser();
      const { totalResults } = await scim.ok("GET", "/Users?count=0");
      const first = await scim.ok("GET", "/Users?startIndex=1&count=2");
      const rest = await scim.ok("GET", `/Users?startIndex=3&count=500`);
      assert.deepEqual([first.itemsPerPage, first.startIndex, rest.startIndex], [2, 1, 3]);
      const ids = [...first.Resources, ...rest.Resources].map(({ id }: { id: string }) => id);
      assert.deepEqual([ids.length, new Set(ids).size], [totalResults, totalResults]);
    });

    it("is deactivated in the forms of Entra ID and Okta, which ends its sessions at once", async () => {
      const forms = [
        (id: string) => patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" }),
        (id: string) => patch(`/Users/${id}`, { op: "replace", value: { active: false } }),
        (id: string, userName: string) => scim.put(`/Users/${id}`, { userName, displayName: "Ann", active: false }),
      ];
      for (const deactivate of forms) {
        const { id, userName } = await newUser();
        idp.signsIn({ preferred_username: userName, groups: ["pickers"] });
        const { bearer } = await signInByProvider(service);
        assert.equal((await bearer.get("/api/auth/me")).status, 200);
        const { status, body } = await deactivate(id, userName);
        assert.deepEqual([status, body.active], [200, false]);
        assert.equal((await bearer.get("/api/auth/me")).status, 401);
        assert.equal((await signInByProvider(service)).at, "/console/?sign_in=refused");
        assert.equal((await patch(`/Users/${id}`, { op: "add", path: "active", value: true })).body.active, true);
        assert.equal((await signInByProvider(service)).at, "/console/");
      }
    });

    it("is changed part by part, and keeps what nobody sent", async () => {
      const externalId = randomUUID();
      const { id, userName } = await newUser({ externalId });
      const path = `/Users/${id}`;
      const changed = await patch(
        path,
        { op: "replace", path: "displayName", value: "Ann Leads" },
        { op: "add", path: 'emails[type eq "work"].value', value: "a@example.com" },
        { op: "replace", path: `${CORE}:User:userName`, value: userName },
      );
      assert.deepEqual(
        [changed.status, changed.body.displayName, changed.body.externalId],
        [200, "Ann Leads", externalId],
      );
      const removed = await patch(path, { op: "remove", path: "externalId" });
      assert.deepEqual([removed.status, removed.body.externalId], [200, undefined]);
      const put = await scim.put(path, { userName, name: { givenName: "Ann", familyName: "Office" } });
      assert.deepEqual([put.status, put.body.displayName, put.body.active], [200, "Ann Office", true]);
    });

    it("is refused in SCIM's words", async () => {
      const { id, userName } = await newUser({ externalId: "taken" });
      const local = await person();
      const cases: [number, string | undefined, Promise<{ status: number; body: Record<string, unknown> }>][] = [
        [409, "uniqueness", scim.post("/Users", { userName })],
        [409, "uniqueness", scim.post("/Users", { userName: local.username })],
        [409, "uniqueness", scim.post("/Users", { userName: name(), externalId: "taken" })],
        [400, "invalidValue", scim.post("/Users", {})],
        [400, "invalidValue", scim.post("/Users", { userName: "system:x" })],
        [400, "mutability", patch(`/Users/${id}`, { op: "replace", path: "userName", value: name() })],
        [400, "invalidValue", patch(`/Users/${id}`, { op: "move", path: "active", value: true })],
        [400, "invalidSyntax", patch(`/Users/${id}`, { op: "remove" })],
        [400, "invalidValue", scim.patch(`/Users/${id}`, { Operations: [] })],
        [400, "invalidFilter", scim.get(`/Users?${new URLSearchParams({ filter: 'userName sw "a"' })}`)],
        [400, "invalidFilter", scim.get(`/Users?${new URLSearchParams({ filter: "password eq 1" })}`)],
        [400, "invalidSyntax", scim.call("POST", "/Users", "{")],
        [404, undefined, scim.get(`/Users/${randomUUID()}`)],
        [404, undefined, scim.put("/Users/1", { userName })],
        [404, undefined, scim.get("/Nothing")],
        [404, undefined, scim.get(`/Users/${local.external_id}`)],
      ];
      for (const [expected, scimType, asked] of cases) {
        const { status, body } = await asked;
        const about = JSON.stringify(body);
        assert.deepEqual([status, body.status, body.scimType], [expected, String(expected), scimType], about);
        assert.deepEqual(body.schemas, ["urn:ietf:params:scim:api:messages:2.0:Error"]);
        assert.equal(typeof body.detail, "string");
      }
    });

    it("is deleted, and its name is not used again", async () => {
      const { id, userName } = await newUser();
      assert.equal((await scim.delete(`/Users/${id}`)).status, 204);
      assert.equal((await scim.get(`/Users/${id}`)).status, 404);
      assert.equal((await scim.post("/Users", { userName })).status, 409);
    });
  });

  describe("a group", () => {
    it("gives its people what is mapped, and takes it away, at once", async () => {
      const [ann, ben] = [await newUser(), await newUser()];
      const group = await newGroup("pickers", ann);
      assert.deepEqual(group.members, [{ value: ann.id, display: ann.userName }]);
      const functionsOf = async ({ userName }: { userName: string }) => (await rowOf(userName))?.allowed_functions;
      assert.deepEqual([await functionsOf(ann), await functionsOf(ben)], [["pick"], []]);
      assert.deepEqual((await rowOf(ann.userName))?.warehouse_ids, [here]);
      const path = `/Groups/${group.id}`;
      await patch(path, { op: "Add", path: "members", value: [{ value: ben.id }] });
      assert.deepEqual(await functionsOf(ben), ["pick"]);
      assert.deepEqual((await scim.ok("GET", `/Users/${ben.id}`)).groups, [{ value: group.id, display: "pickers" }]);
      await patch(path, { op: "Remove", path: `members[value eq "${ann.id}"]` });
      await patch(path, { op: "remove", path: "members", value: [{ value: ben.id }] });
      assert.deepEqual([await functionsOf(ann), await functionsOf(ben)], [[], []]);
      await patch(path, {
        op: "replace",
        value: { id: group.id, displayName: "office", members: [{ value: ann.id }] },
      });
      assert.deepEqual([(await rowOf(ann.userName))?.pages, await functionsOf(ann)], [1, []]);
      assert.equal((await scim.put(path, { displayName: "pickers", members: [] })).status, 200);
      assert.equal((await rowOf(ann.userName))?.pages, 0);
    });

    it("counts at the sign-in as those do that the provider tells then", async () => {
      const ann = await newUser();
      await newGroup("office", ann);
      idp.signsIn({ preferred_username: ann.userName, name: "Ann", groups: ["pickers"] });
      const { bearer } = await signInByProvider(service);
      const me = await bearer.ok("GET", "/api/auth/me");
      assert.deepEqual([me.allowed_functions, me.allowed_pages], [["pick"], ["items"]]);
    });

    it("is found by its name, without its members where they are not wanted, and deleted", async () => {
      const ann = await newUser();
      const group = await newGroup("it", ann);
      assert.equal((await rowOf(ann.userName))?.role, "ADMIN");
      const filter = new URLSearchParams({ filter: 'displayName eq "it"', excludedAttributes: "members" });
      const found = await scim.ok("GET", `/Groups?${filter}`);
      const { members: _, ...rest } = group;
      assert.deepEqual([found.totalResults, found.Resources], [1, [rest]]);
      assert.deepEqual(await scim.ok("GET", `/Groups/${group.id}`), group);
      assert.equal((await scim.post("/Groups", { displayName: "it" })).body.scimType, "uniqueness");
      const stranger = { displayName: "x", members: [{ value: randomUUID() }] };
      assert.equal((await scim.post("/Groups", stranger)).body.scimType, "invalidValue");
      assert.equal((await scim.delete(`/Groups/${group.id}`)).status, 204);
      assert.equal((await rowOf(ann.userName))?.role, "USER");
      for (const answer of [await scim.get(`/Groups/${group.id}`), await scim.delete(`/Groups/${group.id}`)])
        assert.equal(answer.status, 404);
    });

    it("does not take the role from the last ADMIN", async () => {
      const ann = await newUser();
      const group = await newGroup("it", ann);
      const others = "update users set is_active = $2 where role = 'ADMIN' and username <> $1";
      await db.run(others, [ann.userName, false]);
      const attempts = [
        await scim.put(`/Groups/${group.id}`, { displayName: "it", members: [] }),
        await patch(`/Users/${ann.id}`, { op: "replace", path: "active", value: false }),
        await scim.delete(`/Users/${ann.id}`),
      ];
      for (const { status } of attempts) assert.equal(status, 400);
      await db.run(others, [ann.userName, true]);
    });
  });

  it("says what it can do", async () => {
    const config = await scim.ok("GET", "/ServiceProviderConfig");
    assert.deepEqual([config.patch.supported, config.bulk.supported, config.filter.supported], [true, false, true]);
    const types = await scim.ok("GET", "/ResourceTypes");
    assert.deepEqual(
      types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint),
      ["/Users", "/Groups"],
    );
    const schemas = await scim.ok("GET", "/Schemas");
    assert.deepEqual(
      schemas.Resources.map(({ id }: { id: string }) => id),
      [`${CORE}:User`, `${CORE}:Group`],
    );
    const { headers } = await scim.get("/Users?count=1");
    assert.match(headers.get("content-type") ?? "", /^application\/scim\+json/);
    assert.equal(headers.get("cache-control"), "no-store");
  });

  it("is open to either of its tokens, and to nobody else", async () => {
    assert.equal((await provider(OTHER).get("/Users")).status, 200);
    const admin = new Caller(`${service.url}/scim/v2`, service.admin.headers, "", 0);
    const nobody = new Caller(`${service.url}/scim/v2`, {}, "", 0);
    for (const caller of [provider("wrong"), provider(`${TOKEN}x`), admin, nobody])
      for (const path of ["/Users", "/Groups", "/ServiceProviderConfig", "/Schemas", "/nothing"]) {
        const { status, body } = await caller.get(path);
        assert.deepEqual([status, body.status, body.Resources], [401, "401", undefined]);
      }
    const lines = await logged("info", () => provider("wrong").post("/Users", { userName: "x" }));
    const line = lines.find(({ msg }) => msg === "request refused");
    assert.deepEqual([line?.event, line?.status], ["unauthenticated", 401]);
    const asBearer = new Caller(service.url, { authorization: `Bearer ${TOKEN}` }, "", 0);
    assert.equal((await asBearer.get("/api/auth/me")).status, 401);
  });
});

describe("a service without tokens for provisioning", () => {
  it("has none", async () => {
    const service = await openService();
    const answer = await new Caller(service.url, { authorization: "Bearer " }, "", 0).get("/scim/v2/Users");
    assert.deepEqual([answer.status, answer.body.status], [404, "404"]);
    await service.close();
  });
});
