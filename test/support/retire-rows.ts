import { retireRows } from "../../activities/maintenance/retirement/retire.js";
import { connect, disconnect } from "../../src/platform/db/db.js";

/**
 * A process that retires the rows of a database, and may be killed: `retire-rows.js <database URL> <folder>`, with
 * `orders` for orders alone.
 */
const [databaseUrl = "", retentionFolder, what] = process.argv.slice(2);
connect(databaseUrl, 2);
const off = { auditRetentionDays: undefined, eventRetentionDays: undefined, movementRetentionDays: undefined };
const days =
  what === "orders"
    ? { ...off, orderRetentionDays: 365 }
    : { ...off, auditRetentionDays: 90, eventRetentionDays: 90, orderRetentionDays: undefined };
const settings = { databaseUrl, databaseDirectUrl: undefined, retentionFolder, ...days };
await retireRows(settings, new AbortController().signal, 0);
await disconnect();
