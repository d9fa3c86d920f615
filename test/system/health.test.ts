import assert from "node:assert/strict";
import { closeTemporal } from "../../api/http/workflow-updates.js";
import { disconnect } from "../../src/platform/db/db.js";
import { openService, type TestService, testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("health", () => {
  describe("with a worker", () => {
    const service = testService({ worker: true });

    it("says that the process lives, and nothing else", async () => {
      const { status, body } = await service.anyone.get("/api/health");
      assert.equal(status, 200);
      assert.deepEqual(body, { status: "ok", service: "warehouse-execution-service" });
    });

    it("is ready once the worker has asked for work", async () => {
      const ready = () => service.anyone.get("/api/ready");
      await until(async () => (await ready()).status === 200);
      assert.deepEqual((await ready()).body, { status: "ready", postgres: true, temporal: true, worker: true });
    });

    it("tells an ADMIN of the proxy and the version, and nobody else", async () => {
      const { status, body } = await service.admin.get("/api/admin/system-info");
      assert.equal(status, 200);
      assert.equal(body.proxy_fix_active, false);
      assert.match(body.version, /^\d+\.\d+\.\d+/);
      assert.equal((await (await service.user()).get("/api/admin/system-info")).status, 403);
      assert.equal((await service.anyone.get("/api/admin/system-info")).status, 401);
    });

    it("takes browsers' reports in any JSON, sixty a minute", async () => {
      const send = (type: string, body: string) =>
        service.anyone.with({ "content-type": type }).call("POST", "/api/csp-report", body);
      const bodies = [
        ["application/csp-report", '{"csp-report":{"blocked-uri":"inline"}}'],
        ["application/reports+json", "[]"],
        ["application/json", '"any"'],
      ] as const;
      for (const [type, body] of bodies) {
        const answer = await send(type, body);
        assert.deepEqual([answer.status, answer.body], [204, ""]);
      }
      const broken = await send("application/json", "not json");
      assert.deepEqual(
        [broken.status, broken.body.details],
        [400, [{ type: "json_invalid", loc: [], msg: "body is not JSON" }]],
      );
      // A minute may begin among the first sixty.
      const statuses: number[] = [];
      for (let burst = 0; burst < 2 && !statuses.includes(429); burst++) {
        const answers = await Promise.all(Array.from({ length: 61 }, () => send("application/json", "{}")));
        statuses.push(...answers.map(({ status }) => status));
      }
      const taken = statuses.filter((status) => status === 204).length;
      assert.ok(taken >= 57 && taken < 120, `${taken} were taken`);
      assert.deepEqual(new Set(statuses), new Set([204, 429]));
    });
  });

  describe("without", () => {
    const missing = async (service: TestService) => {
      const { status, body, headers } = await service.anyone.get("/api/ready");
      assert.equal(status, 503);
      assert.equal(headers.get("retry-after"), "1");
      assert.equal(body.error, "not_ready");
      assert.equal((await service.anyone.get("/api/health")).status, 200);
      return body.missing;
    };

    it("a worker is not ready", async () => {
      const service = await openService();
      assert.deepEqual(await missing(service), ["worker"]);
      await service.close();
    });

    it("a workflow engine is not ready, and says so in time", async () => {
      const service = await openService({ env: { TEMPORAL_ADDRESS: "127.0.0.1:1" } });
      assert.deepEqual(await missing(service), ["temporal", "worker"]);
      await service.close();
    });

    it("its namespace is not ready", async () => {
      const service = await openService({ env: { TEMPORAL_NAMESPACE: "elsewhere" } });
      assert.deepEqual(await missing(service), ["temporal", "worker"]);
      await service.close();
    });

    it("a database is not ready", async () => {
      const service = await openService();
      await disconnect();
      assert.deepEqual(await missing(service), ["postgres", "worker"]);
      await closeTemporal();
      assert.deepEqual(await missing(service), ["postgres", "temporal", "worker"]);
      await service.close();
    });
  });
});
