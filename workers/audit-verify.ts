import { runCommand } from "../src/launcher/run-command.js";
import { configOrExit } from "../src/platform/config/config.js";
import { connect, disconnect } from "../src/platform/db/db.js";
import { reachedOrExit } from "../src/platform/db/reach.js";
import { verifyAuditLog } from "../src/reports/audit/verify.js";
import { verifyFiles } from "../src/reports/audit/verify-files.js";

/**
 * `npm run audit:verify [-- folder]`: checks the hash chain of the audit log, and with the retention folder also that
 * of its files; exits with 1 and names the first broken row.
 */
await runCommand("npm run audit:verify -- [retention folder]", {}, async ({ positionals: [folder] }) => {
  const config = configOrExit("migrate");
  await reachedOrExit(config);
  connect(config.databaseUrl, 1);
  try {
    if (folder) await checkFiles(folder);
    await checkLog();
  } finally {
    await disconnect();
  }
});

async function checkFiles(folder: string): Promise<void> {
  const { files, rows, broken } = await verifyFiles(folder);
  if (broken) throw new Error(`Files of the audit log: ${broken}; ${rows} rows before it are sound.`);
  console.log(`Files of the audit log: ${rows} rows in ${files} files are sound.`);
}

async function checkLog(): Promise<void> {
  const { retired_to, verified, head, unsealed, broken } = await verifyAuditLog();
  const waiting = `${unsealed} not sealed yet`;
  const from = retired_to ? ` from place ${retired_to + 1} of the chain on` : "";
  if (broken) {
    const { seal_no, log_id, why } = broken;
    const row = log_id === null ? "a row" : `log_id ${log_id}`;
    const sound = `${verified} rows before it are sound`;
    throw new Error(`Audit log: ${row} is ${why}, at place ${seal_no} of the chain; ${sound}, ${waiting}.`);
  }
  console.log(`Audit log: ${verified} rows are sound${from}, ${waiting}.`);
  console.log(`Head: ${head}`);
}
