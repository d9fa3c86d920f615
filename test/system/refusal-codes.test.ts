import assert from "node:assert/strict";
import { routes } from "../../api/routes.js";
import type { Caller } from "../support/caller.js";
import { document } from "../support/operations.js";
import { person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";

/** Findings D2: programs read `code`, people read `error`. */
describe("a refusal", () => {
  const service = testService();
  let user: Caller;
  before(async () => {
    const { username } = await person({ password: "battery staple 2", role: "USER" });
    user = await sessionsOf(() => service).signedIn(username, "battery staple 2");
  });

  it("has its kind as code beside the message, on every route that has messages", () => {
    const problems = new Set(routes.flatMap((route) => route.errors));
    for (const problem of problems) {
      const { body } = problem();
      if (body.error !== undefined) assert.equal(body.code, problem.kind);
      else assert.equal(body.error_kind ?? body.kind, problem.kind);
    }
  });

  it("shows its code in the examples of the document", () => {
    const examples = Object.values(document.components.examples as Record<string, { value: Record<string, unknown> }>);
    assert.ok(examples.length > 100);
    for (const { value } of examples) if ("error" in value) assert.match(`${value.code}`, /^[a-z][a-z_]+$/);
  });

  const refused = {
    unauthorized: () => service.anyone.get("/api/auth/me"),
    not_found: () => service.anyone.get("/api/nowhere"),
    validation_error: () => user.post("/api/auth/change-password", { unknown: 1 }),
    unsupported_media_type: () => user.with({ "content-type": "text/plain" }).post("/api/auth/change-password", "x"),
    permission_denied: () => user.get("/api/admin/users"),
  };
  for (const [kind, ask] of Object.entries(refused))
    it(`over HTTP says ${kind}`, async () => {
      const { code, body } = await ask();
      assert.equal(code, kind, JSON.stringify(body));
      assert.equal(typeof body.error, "string");
    });
});
