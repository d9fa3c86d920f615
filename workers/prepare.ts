import { randomBytes } from "node:crypto";
import { Client, Connection } from "@temporalio/client";
import { createFirstAdmin } from "../activities/auth/users.js";
import { openInbound } from "../api/inbound/open.js";
import { loadDemo } from "../demo/load.js";
import { migrations } from "../migrations/index.js";
import type { Prepared } from "../src/launcher/service.js";
import { configOrExit, directUrl } from "../src/platform/config/config.js";
import { bool } from "../src/platform/db/columns.js";
import { connect, db, disconnect } from "../src/platform/db/db.js";
import { migrate, NotMigrated } from "../src/platform/db/migrate.js";
import { reachedOrExit } from "../src/platform/db/reach.js";
import { systemActor } from "../src/platform/system-actor.js";
import { temporalOptions } from "../src/platform/temporal/connection.js";
import { deploymentVersion, makeCurrent } from "./deployment.js";

/**
 * `npm run migrate`, and the first thing that `npm start` does: brings the database to the newest schema, grants
 * SERVICE_DATABASE_APP_ROLE what API and workers need, checks the mapping documents where a folder is configured, makes
 * the first admin where there is no user, and loads demo data into an empty database when SERVICE_DEMO_DATA says so.
 * With SERVICE_WORKER_VERSIONING, makes the workers of this build the current ones again.
 */
const config = configOrExit("migrate");
await reachedOrExit(config);
const retiresAudit = config.auditRetentionDays !== undefined;
await migrate(directUrl(config), migrations, config.databaseAppRole, retiresAudit).catch((error) => {
  if (!(error instanceof NotMigrated)) throw error;
  console.error(error.message);
  process.exit(1);
});
connect(config.databaseUrl, 4, config.companyTimeZone);
// Exits on a fault, so it comes before a password is generated, which is printed only once.
if (config.inboundMappingsDir) await openInbound(config);
const password = config.adminPassword ?? randomBytes(12).toString("base64url");
const made = await createFirstAdmin(config.adminUsername, password, false);
const demo = Boolean(config.demoData) && (await isEmpty());
if (demo) await loadDemo(systemActor("demo"));
await disconnect();
const { temporalAddress } = config;
if (config.workerVersioning && temporalAddress) await backToThisBuild({ ...config, temporalAddress });

const prepared: Prepared = {
  adminUsername: config.adminUsername,
  ...(made && !config.adminPassword && { adminPassword: password }),
  demo,
};
// The launcher waits for this message; an exit before it is sent would lose it.
if (process.send) process.send(prepared, () => process.exit(0));
else if (prepared.adminPassword)
  console.log(`First admin: ${prepared.adminUsername}, password ${prepared.adminPassword} (shown once)`);

/** Whether nothing is there yet, or loading the demo data was interrupted; not where the demo was removed. */
async function isEmpty(): Promise<boolean> {
  const found = await db.row(
    { empty: bool },
    `select not exists (select from command_log where command_id = 'demo:loaded')
       and (not exists (select from warehouses)
            or exists (select from command_log where command_id = 'demo:MAIN')) as empty`,
  );
  return found?.empty === true;
}

/** Temporal may come up after this; only for the way back to an earlier build is it needed here. */
async function backToThisBuild(at: Parameters<typeof temporalOptions>[0]): Promise<void> {
  const client = new Client({ connection: Connection.lazy(temporalOptions(at)), namespace: config.temporalNamespace });
  await makeCurrent(client, deploymentVersion(config), "migrate").catch((error) => {
    console.error(`The current version of the workers was not checked (Worker Versioning): ${error.message}`);
  });
  await client.connection.close();
}
