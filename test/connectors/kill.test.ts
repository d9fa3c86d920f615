import { connect, disconnect } from "../../src/platform/db/db.js";
import { assertInvariants } from "../support/invariants.js";
import { shipmentsOf } from "../support/kills/pushes.js";
import { syncOf } from "../support/kills/sync.js";
import { openStack, type Part, type Stack } from "../support/stack.js";

/** How often each is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
type Victim = Part | "all that Temporal knows";
const PARTS: Victim[] = ["Worker", "API", "Temporal", "Postgres", "all that Temporal knows"];

describe("a sync, and a shop that is told of its shipments, as everything is killed", function () {
  this.timeout(300_000 + ROUNDS * 400_000);
  const env = {
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64"),
    SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
    CONNECTOR_BACKOFF_MS: "10",
    CONNECTOR_RETRY_DELAY_MS: "500",
    CONNECTOR_CIRCUIT_OPEN_MS: "500",
  };
  const victims = Array<Victim[]>(ROUNDS).fill(PARTS).flat();
  let stack: Stack;
  let sync: Awaited<ReturnType<typeof syncOf>>;
  let shipments: Awaited<ReturnType<typeof shipmentsOf>>;
  before(async () => {
    stack = await openStack(env);
    connect(stack.databaseUrl, 4);
    sync = await syncOf(stack, 4 * victims.length);
    shipments = await shipmentsOf(stack, victims.length, env);
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await sync?.close();
    await shipments?.close();
  });

  async function kill(victim: Victim): Promise<void> {
    if (victim !== "all that Temporal knows") return stack.kill(victim);
    const bringBack = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
  }

  it("go on, whichever part dies", async () => {
    await sync.start();
    for (const [round, victim] of victims.entries()) {
      await Promise.all([sync.goesOn(), shipments.more(round)]);
      await kill(victim);
    }
  });

  it("tell the shop of each shipment once, and take it back where it is voided", () => shipments.assertTold());

  it("read each product, and a second run ends with the same rows", async () => {
    await sync.assertWritten();
    await assertInvariants();
  });
});
