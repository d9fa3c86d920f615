import assert from "node:assert/strict";
import { dispatchSlugs, endpointSlugs, inboundResources } from "../../src/auth/tokens/scope.js";
import type { Caller } from "../support/caller.js";
import { examplePath, json, operations } from "../support/operations.js";
import { partnerCaller } from "../support/partners.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { connector } from "../support/webhooks.js";

describe("every route, over HTTP", () => {
  const service = testService();
  /** Somebody who may call all routes but those of stations and tills, and who may call these. */
  let everybody: Caller;
  let dispatcher: Caller;
  before(async () => {
    const { plaintext } = await tokenCaller(service, {
      source_system: "shop",
      inbound_resources: [...inboundResources],
      event_types: ["ship.confirmed"],
      endpoints: endpointSlugs,
    });
    const { session } = await partnerCaller(service, { connector_id: await connector() });
    everybody = service.admin.with({ "x-wms-token": plaintext, "x-partner-session": session });
    dispatcher = (await tokenCaller(service, { endpoints: [...dispatchSlugs] })).caller;
  });

  type Entry = (typeof operations)[number];

  /** Calls each of the routes, with its example body unless told otherwise, and holds what it answers. */
  async function walk(
    entries: Entry[],
    callerOf: (entry: Entry) => Caller,
    expected: (entry: Entry) => { status: number; body: object },
    bodyOf = (entry: Entry): unknown => json(entry.operation.requestBody)?.example,
  ) {
    assert.ok(entries.length > 0);
    for (const entry of entries) {
      const { route, name, operation } = entry;
      const body = bodyOf(entry);
      const answer = await callerOf(entry).call(route.method.toUpperCase(), examplePath(route, operation), body);
      const { status, body: expectedBody } = expected(entry);
      assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`);
      assert.deepEqual(answer.body, expectedBody, name);
    }
  }

  const isInbound = ({ route }: Entry) => route.for.kind === "inbound";
  const isDispatch = ({ route }: Entry) => route.for.kind === "dispatch";
  const withBody = operations.filter(({ route }) => route.body);
  /** What a message of JSON-RPC may have is the protocol's to say, and the answer too. */
  const isOurs = ({ route }: Entry) => route.path !== "/mcp";
  const able = (entry: Entry) => (isDispatch(entry) ? dispatcher : everybody);

  it("with a body refuses a field it does not know", () => {
    const [type, field, message] = ["extra_forbidden", "no_such_field", "Unknown field: no_such_field"];
    const details = [{ type, loc: [field], msg: message }];
    return walk(
      withBody.filter(isOurs),
      able,
      (entry) => {
        if (isInbound(entry)) return { status: 422, body: { error_kind: "validation_error", details } };
        if (isDispatch(entry))
          return { status: 422, body: { error_kind: "invalid_body", message, details: { field, reason: type } } };
        return { status: 400, body: { error: "validation_error", details } };
      },
      ({ operation }) => ({ ...(json(operation.requestBody)?.example as object), no_such_field: 1 }),
    );
  });

  it("with a body takes nothing but JSON", () => {
    const message = "Content-Type must be application/json";
    return walk(
      withBody,
      (entry) => able(entry).with({ "content-type": "text/plain" }),
      (entry) => ({
        status: 415,
        body: isDispatch(entry)
          ? { error_kind: "unsupported_media_type", message, details: {} }
          : { error: "unsupported_media_type", message },
      }),
      () => "a=1",
    );
  });
});
