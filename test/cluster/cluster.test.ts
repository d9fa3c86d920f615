import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Client, Connection, type WorkflowHandle } from "@temporalio/client";
import { RECOVERY } from "../../bench/pages/recovery.js";
import { writePages } from "../../bench/pages/write.js";
import { writeMeasured } from "../../src/launcher/measured.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { databaseFault } from "../../src/platform/db/reach.js";
import { type Cluster, clusterPrograms, type Host, openCluster } from "../support/cluster.js";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { HEALED_WITHIN_MS } from "../support/kills/kills.js";
import type { Link } from "../support/link.js";
import { beginDay, type SimulatedDay } from "../support/simulated-day.js";
import { until } from "../support/until.js";

/** How long a part hangs or a link is interrupted before the test heals it. */
const LASTS_MS = 10_000;
/** What each packet takes on a slow link. */
const SLOW_MS = 100;

/** What happens to a part, until it is over, whether or not work goes on meanwhile. */
type Fault = (cluster: Cluster) => Promise<void>;
type PartOf = (cluster: Cluster) => { signal(signal: NodeJS.Signals): void };

const killed =
  (part: PartOf): Fault =>
  async (cluster) =>
    part(cluster).signal("SIGKILL");
const hung =
  (part: PartOf): Fault =>
  async (cluster) => {
    part(cluster).signal("SIGSTOP");
    await pause(LASTS_MS);
    part(cluster).signal("SIGCONT");
  };
const onLinks =
  (links: (cluster: Cluster) => Link[], act: (link: Link) => void): Fault =>
  async (cluster) => {
    links(cluster).forEach(act);
    await pause(LASTS_MS);
    for (const link of links(cluster)) link.heal();
  };
const api = ({ apis }: Cluster) => apis[0] as Host;
const worker = ({ workers }: Cluster) => workers[0] as Host;
const every = (which: "toDatabase" | "toEngine") => (cluster: Cluster) =>
  [...cluster.apis, ...cluster.workers].map((host) => host[which]);

const faults: Record<string, Fault> = {
  "nothing at all, for comparison": async () => {},
  "an API is killed": killed((cluster) => api(cluster).container),
  "a worker is killed": killed((cluster) => worker(cluster).container),
  "the proxy is killed": killed(({ proxy }) => proxy),
  "Temporal is killed": killed(({ temporal }) => temporal),
  "Postgres is killed": async ({ postgres }) => {
    postgres.primary.signal("SIGKILL");
    await pause(LASTS_MS);
    await postgres.primary.start();
  },
  "an API hangs": hung((cluster) => api(cluster).container),
  "a worker hangs": hung((cluster) => worker(cluster).container),
  "Temporal hangs": hung(({ temporal }) => temporal),
  "an API cannot reach Postgres": onLinks(
    (cluster) => [api(cluster).toDatabase],
    (link) => link.interrupt(),
  ),
  "a worker cannot reach Temporal": onLinks(
    (cluster) => [worker(cluster).toEngine],
    (link) => link.interrupt(),
  ),
  "Temporal cannot reach Postgres": onLinks(
    ({ engineToDatabase }) => [engineToDatabase],
    (link) => link.cut(),
  ),
  "all connections to Postgres are half closed": onLinks(every("toDatabase"), (link) => link.halfClose()),
  "the way to Postgres is slow": onLinks(every("toDatabase"), (link) => link.slowDown(SLOW_MS)),
  "the way to Temporal is slow": onLinks(every("toEngine"), (link) => link.slowDown(SLOW_MS)),
  // Last: the primary does not come back.
  "the primary is gone and the standby promoted": async ({ postgres, engineToDatabase }) => {
    postgres.primary.signal("SIGKILL");
    await postgres.standby.ask("select pg_promote()");
    // As the address of the primary moves, for what knows only one.
    engineToDatabase.leadTo(postgres.standby.port);
  },
};

/** What the workflows wait for that a query finds. */
async function statesOf(client: Client, query: string): Promise<object[]> {
  const handles: WorkflowHandle[] = [];
  for await (const { workflowId } of client.workflow.list({ query }))
    handles.push(client.workflow.getHandle(workflowId));
  return Promise.all(
    handles.map(async (handle) => {
      const { status, raw } = await handle.describe();
      const { pendingActivities, pendingWorkflowTask } = raw;
      const { events } = await handle.fetchHistory();
      return {
        id: handle.workflowId,
        status: status.name,
        pendingActivities,
        pendingWorkflowTask,
        last: events?.slice(-5),
      };
    }),
  );
}

describe("the parts of docker-compose.yml, each killed, hung, slowed down and cut off in turn", function () {
  this.timeout(30 * 60_000);
  let cluster: Cluster;
  let day: SimulatedDay;
  /** By fault, the seconds until each step is done again, during the fault or after its end. */
  const recovered: Record<string, number> = {};

  before(async function () {
    const programs = clusterPrograms();
    if (!programs) return this.skip();
    cluster = await openCluster(programs);
    assert.equal(await databaseFault({ databaseUrl: cluster.postgres.url }), undefined);
    day = await beginDay(cluster.url, cluster.ready);
    await day.goesOn();
  });
  after(async () => {
    day?.breakOff();
    await disconnect();
    await cluster?.close();
  });

  for (const [name, fault] of Object.entries(faults))
    it(`works again after ${name}`, async () => {
      const over = fault(cluster);
      [recovered[name]] = await Promise.all([day.goesOn(), over]);
      await day.goesOn();
    });

  it("lost nothing, did nothing twice, sent everything in order, and left no wave open", async () => {
    await day.end();
    // It finds the new primary, and whoever connects from then on does.
    assert.equal(await databaseFault({ databaseUrl: cluster.postgres.url }), undefined);
    connect(cluster.postgres.url, 4);
    await assertInvariants();
    const connection = await Connection.connect({ address: cluster.engineAddress });
    const client = new Client({ connection });
    const query = 'WorkflowType = "pickWave" and ExecutionStatus = "Running"';
    await until(async () => (await client.workflow.count(query)).count === 0, HEALED_WITHIN_MS, 500).catch(async () =>
      assert.deepEqual(await statesOf(client, query), []),
    );
    await connection.close();
    const open = await db.rows("select batch_id from pick_batches where status not in ('COMPLETED', 'CANCELLED')");
    assert.deepEqual(open, []);
    console.log("      seconds until each step was done again:");
    for (const [name, seconds] of Object.entries(recovered)) console.log(`    ${`${seconds}`.padStart(6)}  ${name}`);
    if (process.env.WRITE_FIGURES) {
      writeMeasured("docs/figures/recovery.json", RECOVERY, recovered);
      writePages("docs");
    }
  });
});
