import { configOrExit } from "../src/platform/config/config.js";
import { connect, disconnect } from "../src/platform/db/db.js";
import { reachedOrExit } from "../src/platform/db/reach.js";
import { verifyAuditLog } from "../src/reports/audit/verify.js";

/** `npm run audit:verify`: checks the hash chain of the audit log; exits with 1 and names the first broken row. */
const config = configOrExit("migrate");
await reachedOrExit(config);
connect(config.databaseUrl, 1);
const { verified, head, unsealed, broken } = await verifyAuditLog().finally(disconnect);
const waiting = `${unsealed} not sealed yet`;
if (broken) {
  const { seal_no, log_id, why } = broken;
  const row = log_id === null ? "a row" : `log_id ${log_id}`;
  console.error(
    `Audit log: ${row} is ${why}, at place ${seal_no} of the chain; ${verified} rows before it are sound, ${waiting}.`,
  );
  process.exitCode = 1;
} else {
  console.log(`Audit log: ${verified} rows are sound, ${waiting}.`);
  console.log(`Head: ${head}`);
}
