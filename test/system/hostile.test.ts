import assert from "node:assert/strict";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { dispatchSlugs, endpointSlugs, inboundResources } from "../../src/auth/tokens/scope.js";
import * as fixtures from "../support/fixtures.js";
import { BODY_LIMITS, type Entry, type HostileCall } from "../support/hostile-call.js";
import { numbers, texts, times } from "../support/hostile-fields.js";
import { bodies, headers, malformed } from "../support/hostile-frames.js";
import { useTestMappings } from "../support/inbound.js";
import { validator } from "../support/json-schema.js";
import { patient } from "../support/machine-speed.js";
import { testMessagesAreSentAtOnce } from "../support/notifications.js";
import { json, operations } from "../support/operations.js";
import { partnerCaller } from "../support/partners.js";
import { person, sessionsOf } from "../support/people.js";
import { SEED } from "../support/seed.js";
import { send } from "../support/send.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { connector, subscribe } from "../support/webhooks.js";

const AT_ONCE = 16;
/** One in so many calls is made, beginning at another one for each seed; `npm run test:long` makes all. */
const ONE_IN = Number(process.env.TEST_HOSTILE_ONE_IN ?? 20);
const FIRST = SEED % ONE_IN;
/** Fewer calls than that for each route would mean that something is not looked at any more. */
const LEAST_PER_ROUTE = 80 / ONE_IN;

/** Reads of operations come first, and what deletes comes last, so that there is something to ask for. */
const order = ["get", "post", "put", "patch", "delete"];
const entries = [...operations].sort((a, b) => order.indexOf(a.route.method) - order.indexOf(b.route.method));

describe("hostile requests to every declared route", function () {
  this.timeout(300_000);
  let service: TestService;
  let known: Record<string, string>;
  /** The same for routes of stations and tills. */
  let knownToDispatch: Record<string, string>;
  let calls = 0;
  let health = 0;
  let over = false;
  let watching: Promise<void>;

  before(async () => {
    service = await openService({
      worker: true,
      env: {
        SERVICE_INBOUND_MAX_BODY_KB: `${BODY_LIMITS.inboundMaxBodyKb}`,
        SERVICE_STATION_MAX_BODY_KB: `${BODY_LIMITS.stationMaxBodyKb}`,
        SERVICE_POS_MAX_BODY_KB: `${BODY_LIMITS.posMaxBodyKb}`,
        // One caller sends many of the largest bodies at once.
        SERVICE_BODIES_MB: "4096",
        // Many webhooks are made, and nothing is to be sent to them.
        DISPATCHER_ENABLED: "false",
      },
    });
    await testMessagesAreSentAtOnce();
    await useTestMappings();
    const all = {
      ...{ source_system: "shop", inbound_resources: [...inboundResources] },
      ...{ event_types: ["ship.confirmed"], endpoints: endpointSlugs },
      warehouse_ids: [1],
    };
    // What the examples name has the first number of its kind. Who calls is neither the first user nor the first token.
    await tokenCaller(service, all);
    const { plaintext } = await tokenCaller(service, all);
    const { username } = await person({ password: "battery staple 2" });
    const admin = await sessionsOf(() => service).signedIn(username, "battery staple 2");
    const { session } = await partnerCaller(service, { connector_id: await connector(), warehouse_ids: [1] });
    known = { ...admin.headers, "x-wms-token": plaintext, "x-partner-session": session };
    const dispatcher = await tokenCaller(service, { endpoints: [...dispatchSlugs], warehouse_ids: [1] });
    knownToDispatch = { ...known, "x-wms-token": dispatcher.plaintext };
    const warehouse = await fixtures.warehouse();
    const [bin] = [await fixtures.bin(warehouse), await fixtures.bin(warehouse)];
    const { item_id } = await fixtures.item();
    await fixtures.stock(warehouse, bin, item_id, 10_000);
    const lines = [{ item_id, quantity: 5 }];
    await fixtures.salesOrder(warehouse, lines);
    await fixtures.purchaseOrder(warehouse, lines);
    await subscribe(admin, { connector_id: await connector() });
    watching = watch();
  });
  after(async () => {
    over = true;
    await watching;
    await service.close();
    console.log(`    hostile set: ${calls} calls, each one in ${ONE_IN} from ${FIRST}, ${health} of health beside`);
  });

  /** Asks for health all the time. */
  async function watch() {
    while (!over) {
      const { status } = await send(service.url, { method: "GET", path: "/api/health" });
      assert.equal(status, 200);
      health++;
      await pause(20);
    }
  }

  /** Does the work for each entry, many at once, and gives what was wrong with it. */
  async function each<T>(list: Generator<T>, work: (entry: T) => Promise<string | undefined>) {
    const faults: string[] = [];
    const worker = async () => {
      for (const entry of list) {
        calls++;
        const fault = await work(entry);
        if (fault) faults.push(fault);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    assert.deepEqual(faults.slice(0, 40), [], `${faults.length} faults`);
  }

  /** Whether the document says so of a refusal. */
  function isDeclared({ operation }: Entry, status: number, body: string): boolean {
    const media = json(operation.responses[status]);
    if (!media) return false;
    return validator(media.schema)(JSON.parse(body));
  }

  /** Nobody signs in to an open route; a logout would end the session that all others are called with. */
  const credentialsFor = ({ route }: Entry) => {
    if (route.for.kind === "open") return {};
    return route.for.kind === "dispatch" ? knownToDispatch : known;
  };

  async function faultOf({ entry, what, status, legal, ...message }: HostileCall) {
    const credentials = credentialsFor(entry);
    const headers = { ...credentials, ...message.headers };
    const ask = () => send(service.url, { ...message, headers }).catch((error) => ({ status: 0, body: String(error) }));
    let answer = await ask();
    // On a busy machine Temporal or another till's lock may keep it waiting too long, as declared: it comes again.
    for (let times = 1; answer.status === 503 && isDeclared(entry, 503, answer.body) && times < 20; times++) {
      await pause(100 * times);
      answer = await ask();
    }
    const fault = `${entry.name} (${what.slice(0, 80)}): ${answer.status} ${answer.body.slice(0, 200)}`;
    if (status !== undefined && answer.status !== status) return fault;
    if (answer.status >= 200 && answer.status < 300) return legal ? undefined : fault;
    if (answer.status < 400 || answer.status >= 500) return fault;
    return isDeclared(entry, answer.status, answer.body) ? undefined : `undeclared: ${fault}`;
  }

  /** Made when its turn comes: some are large. */
  function* ofAll<T>(made: (entry: Entry) => T[]) {
    for (const entry of entries) yield* made(entry).filter((_, i) => i % ONE_IN === FIRST);
  }

  for (const [kind, made] of Object.entries({ bodies, numbers, times, texts, headers }))
    it(`${kind}: each is refused as declared, or taken where it is legal`, () => each(ofAll(made), faultOf));

  it("requests that are hardly any are refused or cut off", () =>
    each(
      ofAll((entry) => malformed(entry, credentialsFor(entry)).map((request) => ({ entry, ...request }))),
      async ({ entry, what, text }) => {
        const answer = await sendText(text);
        return /^(HTTP\/1\.1 4\d\d |$)/.test(answer) ? undefined : `${entry.name} (${what}): ${answer.slice(0, 200)}`;
      },
    ));

  /** Sends the text, says that there is no more, and gives all that comes until the other side closes. */
  const sendText = (text: string) =>
    new Promise<string>((resolve) => {
      let came = "";
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.end(text, "latin1"));
      socket.setTimeout(patient(30_000), () => {
        came = "no end";
        socket.destroy();
      });
      socket.on("data", (bytes) => (came += bytes));
      socket.on("error", () => {}); // The other side broke off.
      socket.on("close", () => resolve(came));
    });

  it("were enough of each route, and health was told beside them", () => {
    assert.ok(calls >= operations.length * LEAST_PER_ROUTE, `${calls}`);
    assert.ok(health > 50, `${health}`);
  });
});
