import { retireRows } from "../../activities/maintenance/retirement/retire.js";
import { connect, disconnect } from "../../src/platform/db/db.js";

/** A process that retires the rows of a database, and may be killed: `retire-rows.js <database URL> <folder>`. */
const [databaseUrl = "", retentionFolder] = process.argv.slice(2);
connect(databaseUrl, 2);
const days = { auditRetentionDays: 90, eventRetentionDays: 90, movementRetentionDays: undefined };
const settings = { databaseUrl, databaseDirectUrl: undefined, retentionFolder, ...days };
await retireRows(settings, new AbortController().signal, 0);
await disconnect();
