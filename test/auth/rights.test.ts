import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";

describe("the frame's look at who asks", () => {
  const service = testService();

  describe("a warehouse that a USER names", () => {
    let own: number;
    let other: number;
    before(async () => {
      [own, other] = [await warehouse(), await warehouse()];
    });
    const naming = async (query: string, body: object, role: "USER" | "ADMIN" = "USER") => {
      const caller = await service.user({ role, warehouse_ids: [own] });
      const answer = await caller.post(`/api/receiving/cancel${query}`, { po_id: 1, receipt_ids: [], ...body });
      return [answer.status, answer.body];
    };
    const fine = [200, { message: "No receipts to cancel" }];

    it("may be one of its own, in query, body or both", async () => {
      assert.deepEqual(await naming(`?warehouse_id=${own}`, {}), fine);
      assert.deepEqual(await naming(`?warehouse_id=${own}`, { warehouse_id: own }), fine);
      assert.deepEqual(await naming("", { warehouse_id: null }), fine);
    });

    it("may be no other", async () => {
      const denied = [403, { error: "Access denied for this warehouse" }];
      assert.deepEqual(await naming(`?warehouse_id=${other}`, {}), denied);
      assert.deepEqual(await naming("", { warehouse_id: other }), denied);
    });

    it("may not differ between query and body", async () => {
      assert.deepEqual(await naming(`?warehouse_id=${own}`, { warehouse_id: other }), [
        400,
        { error: "warehouse_id mismatch across request", sources: { query: own, body: other } },
      ]);
    });

    it("must be an integer", async () => {
      for (const wrong of ["x", "1.5", "", "0x1", true, [own], {}]) {
        assert.deepEqual(await naming("", { warehouse_id: wrong }), [400, { error: "Invalid warehouse_id" }]);
      }
      const twice = await naming(`?warehouse_id=${own}&warehouse_id=${own}`, {});
      assert.deepEqual(twice, [400, { error: "Invalid warehouse_id" }]);
    });

    it("is not looked at for an ADMIN", async () => {
      assert.deepEqual(await naming("?warehouse_id=x", { warehouse_id: other }, "ADMIN"), fine);
    });

    it("is looked at before the page that the route belongs to", async () => {
      const user = await service.user({ warehouse_ids: [own] });
      const { body } = await user.get(`/api/admin/users?warehouse_id=${other}`);
      assert.deepEqual(body, { error: "Access denied for this warehouse" });
    });
  });

  describe("permission", () => {
    it("of a page opens that page's routes to a USER, and no others", async () => {
      const user = await service.user({ page_keys: ["users"] });
      assert.equal((await user.get("/api/admin/users")).status, 200);
      const refused = await user.get("/api/admin/purchase-orders");
      assert.deepEqual([refused.status, refused.body], [403, { error: "permission_denied", page: "purchase-orders" }]);
      assert.deepEqual(statusAndBody(await user.get("/api/admin/system-info")), [403, { error: "Forbidden" }]);
    });
  });
});
