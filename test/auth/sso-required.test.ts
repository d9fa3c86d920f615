import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { envOf, type IdentityProvider, openIdentityProvider, signInByProvider } from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

const SETTINGS = "/api/admin/settings";

describe("a provider that all must use", () => {
  let idp: IdentityProvider;
  let service: TestService;
  let glass: Awaited<ReturnType<typeof person>>;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: envOf(idp) });
    glass = await person();
  });
  after(async () => {
    await service.close();
    await idp.close();
  });
  const { logIn, bearer, signedIn } = sessionsOf(() => service);
  const require = (by: Caller = service.admin, value = "true") =>
    by.put(SETTINGS, { settings: { sso_required: value } });
  const signInOf = ({ user_id }: { user_id: number }) => `/api/admin/users/${user_id}/sign-in`;
  const mapped = { username_claim: "preferred_username", groups_claim: "groups", groups: [{ group: "floor" }] };

  it("is not required before it answers, a group is mapped, and somebody can do without it", async () => {
    const words: string[] = [];
    const refused = async () => {
      const { status, code, body } = await require();
      assert.deepEqual([status, code], [400, "sso_not_ready"]);
      words.push(body.error);
    };
    await refused();
    idp.serve(service.url);
    await refused();
    await service.admin.ok("PUT", signInOf(glass), { is_break_glass: true });
    await refused();
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", mapped);
    assert.match(words.join("\n"), /provider that answers\n.*break-glass ADMIN.*\n.*group that may sign in/);
    assert.equal((await service.anyone.ok("GET", "/api/auth/ways")).sso.required, false);
    const clerk = await service.user({ page_keys: ["settings"] });
    for (const value of ["true", "false"]) assert.equal((await require(clerk, value)).status, 403);
    assert.equal((await require(service.admin, "maybe")).code, "bad_setting");
  });

  it("is for nobody but an active ADMIN with a password to do without", async () => {
    const linked = await person();
    await service.admin.ok("PUT", signInOf(linked), { is_linked: true });
    const inactive = await person();
    await service.admin.ok("PUT", `/api/admin/users/${inactive.user_id}`, { is_active: false });
    const withoutPassword = await service.user({ role: "ADMIN" });
    for (const user of [await person({ role: "USER" }), linked, inactive, { user_id: withoutPassword.userId }])
      assert.equal((await service.admin.put(signInOf(user), { is_break_glass: true })).code, "break_glass_unfit");
    assert.equal((await service.admin.put(signInOf(glass), { is_linked: true })).code, "break_glass_unfit");
  });

  describe("once it is required", () => {
    let worker: Awaited<ReturnType<typeof person>>;
    let before_: Caller;
    before(async () => {
      worker = await person({ role: "USER" });
      before_ = await signedIn(worker.username);
      assert.equal((await require()).status, 200);
    });

    it("refuses the right password of all others, and tells nothing to who has a wrong one", async () => {
      assert.deepEqual((await service.anyone.ok("GET", "/api/auth/ways")).sso, { name: "Example ID", required: true });
      const lines = await logged("info", async () => {
        const { status, code } = await logIn(worker.username, PASSWORD);
        assert.deepEqual([status, code], [403, "sso_required"]);
      });
      const line = lines.find(({ msg }) => msg === "request refused");
      assert.deepEqual([line?.event, line?.user], ["login_refused", worker.username]);
      for (const username of [worker.username, glass.username, "nobody"])
        assert.equal((await logIn(username, "wrong horse 1")).code, "invalid_credentials");
      assert.equal((await logIn(glass.username, PASSWORD)).status, 200);
    });

    it("refuses badges", async () => {
      await service.admin.ok("PUT", SETTINGS, { settings: { badge_sign_in: "true", sso_required: "false" } });
      const path = `/api/admin/users/${worker.user_id}/badge`;
      const { code: badge } = await service.admin.ok("POST", path, {});
      const own = await signedIn(worker.username);
      await own.ok("PUT", "/api/auth/badge-pin", { current_password: PASSWORD, pin: "271828" });
      const enter = (pin: string) => service.anyone.post("/api/auth/badge", { badge, pin });
      assert.equal((await enter("271828")).status, 200);
      assert.equal((await require()).status, 200);
      const refused = await enter("271828");
      assert.deepEqual([refused.status, refused.code], [403, "sso_required"]);
      assert.equal((await enter("271829")).code, "invalid_badge");
    });

    it("lets sessions of passwords end, and those of the provider and for emergencies go on", async () => {
      const refused = await before_.post("/api/auth/refresh");
      assert.deepEqual([refused.status, refused.code], [403, "sso_required"]);
      idp.signsIn({ preferred_username: "from-there", groups: ["floor"] });
      const { bearer: own } = await signInByProvider(service);
      const emergency = bearer((await logIn(glass.username, PASSWORD)).body.token);
      for (const session of [own, emergency]) assert.equal((await session.post("/api/auth/refresh")).status, 200);
    });

    it("never loses the last one who can do without", async () => {
      const path = `/api/admin/users/${glass.user_id}`;
      const attempts = [
        await service.admin.put(path, { is_active: false }),
        await service.admin.put(path, { role: "USER" }),
        await service.admin.delete(path),
        await service.admin.put(signInOf(glass), { is_break_glass: false }),
      ];
      for (const { status, code } of attempts) assert.deepEqual([status, code], [400, "last_break_glass"]);
      const other = await person();
      await service.admin.ok("PUT", signInOf(other), { is_break_glass: true });
      const both = await Promise.all(
        [glass, other].map((user) => service.admin.put(signInOf(user), { is_break_glass: false })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
      const left = "select count(*)::int from users where is_break_glass and role = 'ADMIN' and is_active";
      assert.equal(await db.value(left), 1);
    });

    it("is switched off again by an ADMIN", async () => {
      assert.equal((await require(service.admin, "false")).status, 200);
      assert.equal((await logIn(worker.username, PASSWORD)).status, 200);
      await service.admin.ok("PUT", signInOf(glass), { is_break_glass: false });
    });
  });
});
