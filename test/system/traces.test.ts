import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client, Connection } from "@temporalio/client";
import { Worker } from "@temporalio/worker";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { installRuntime } from "../../workers/runtime.js";
import { traceSinks } from "../../workers/tracing.js";
import { openCollector, type Span } from "../support/collector.js";
import { type Floor, openFloor, pickAll, startWave, type Wave } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

installRuntime();

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const UNSAMPLED = "11111111111111111111111111111111";

describe("the traces", function () {
  this.timeout(240_000);
  let collector: Awaited<ReturnType<typeof openCollector>>;
  let stack: Stack;
  let floor: Floor;
  let wave: Wave;
  before(async () => {
    collector = await openCollector();
    stack = await openStack({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "100",
      LOG_LEVEL: "info",
    });
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, 1);
    wave = await startWave(floor, scanner());
    await pickAll(scanner(), wave);
    const { caller } = scanner();
    // As programs that trace themselves: one whose trace is sampled, and one whose is not.
    await caller.with({ traceparent: `00-${UNSAMPLED}-${CALLER}-00` }).post("/api/picking/wave-create", {});
    await caller.with({ traceparent: `00-${TRACE}-${CALLER}-01` }).post("/api/picking/complete-batch", wave);
    const route = (path: string) => collector.spans.find(({ name }) => name === `POST ${path}`);
    await until(() => route("/api/picking/complete-batch") !== undefined, 20_000);
    await until(() => spansOf(TRACE).some(({ name }) => name === "update pickWave.complete"), 20_000);
    await until(() => collector.spans.some(({ name }) => name === "workflow pickWave"), 20_000);
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    collector?.close();
  });

  function scanner() {
    const [one] = floor.scanners;
    if (!one) throw new Error("nobody is there");
    return one;
  }
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string, traceId?: string): Span => {
    const found = collector.spans.find((span) => span.name === name && (!traceId || span.traceId === traceId));
    return found ?? assert.fail(`no span ${name} among ${collector.spans.map((span) => span.name).join()}`);
  };
  /** The names from the first span of a trace down to this one. */
  function pathTo(span: Span): string[] {
    const parent = collector.spans.find(
      ({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId,
    );
    return [...(parent ? pathTo(parent) : []), span.name];
  }

  it("go from the route through the update of a workflow and its activity to the SQL, below the caller's", () => {
    const sql = spansOf(TRACE).filter((span) => span.name.startsWith("SQL") && span.service === "warehouse-worker");
    assert.ok(sql.length > 1);
    for (const span of sql)
      assert.deepEqual(pathTo(span), [
        "POST /api/picking/complete-batch",
        "update pickWave.complete",
        "activity completeWave",
        "command picking.completeWave",
        span.name,
      ]);
    const route = named("POST /api/picking/complete-batch", TRACE);
    assert.deepEqual([route.parentSpanId, route.service], [CALLER, "warehouse-api"]);
    assert.equal(route.attributes["http.response.status_code"], 200);
    const { attributes } = named("update pickWave.complete", TRACE);
    assert.equal(attributes["temporal.workflow.id"], waveWorkflowId(wave.batch_id));
  });

  it("have a workflow under the request that started it", () => {
    assert.deepEqual(pathTo(named("activity createWave")), [
      "POST /api/picking/wave-create",
      "workflow pickWave",
      "activity createWave",
    ]);
  });

  it("have the command of a scan under its route", () => {
    assert.deepEqual(pathTo(named("command picking.confirmPick")), [
      "POST /api/picking/confirm",
      "command picking.confirmPick",
    ]);
  });

  it("last as long as what they are of: no part begins before or ends after its parent", () => {
    const route = named("POST /api/picking/complete-batch", TRACE);
    for (const span of spansOf(TRACE)) {
      const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
      assert.ok(from <= to, span.name);
      // A workflow's clock has whole milliseconds, and stands still while a task runs.
      const slack = 2_000_000n;
      if (span.name.startsWith("SQL"))
        assert.ok(from + slack >= BigInt(route.startTimeUnixNano) && to <= BigInt(route.endTimeUnixNano) + slack);
    }
  });

  it("say which statements ran, and no value of theirs, nor anything of the request's", () => {
    const texts = spansOf(TRACE).map(({ attributes }) => String(attributes["db.query.text"] ?? ""));
    assert.ok(texts.some((text) => text.includes("update sales_orders")));
    const all = JSON.stringify(collector.spans);
    const { authorization = "" } = scanner().caller.headers;
    for (const { sku } of floor.items) assert.ok(!all.includes(sku), sku);
    for (const secret of ["K-1-0", authorization.slice(7), stack.admin.headers.authorization?.slice(7) ?? ""])
      assert.ok(secret && !all.includes(secret), secret);
  });

  it("leave out what the caller does not sample", () => {
    assert.deepEqual(spansOf(UNSAMPLED), []);
  });

  it("begin at an activity that nobody asked for", async () => {
    await stack.reconcile();
    await until(() => collector.spans.some(({ name }) => name === "activity reconcile"), 30_000);
    assert.equal(named("activity reconcile").parentSpanId ?? "", "");
  });

  it("change nothing of what a workflow decides: its history is replayed", async () => {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    const history = await new Client({ connection }).workflow.getHandle(waveWorkflowId(wave.batch_id)).fetchHistory();
    const codePath = fileURLToPath(new URL("../../workflow-bundle.js", import.meta.url));
    await Worker.runReplayHistory({ workflowBundle: { codePath }, sinks: traceSinks }, history);
    await connection.close();
  });
});
