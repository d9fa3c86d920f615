import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { backUp } from "../activities/maintenance/backup/back-up.js";
import { withDatabase } from "../src/launcher/database.js";
import { encryptionKeyId, notInBackup } from "../src/launcher/kept-secrets.js";
import { runCommand } from "../src/launcher/run-command.js";
import { configOrExit } from "../src/platform/config/config.js";

/**
 * `npm run backup [-- file or folder]`: writes all of the database, as of one moment, into one file; a folder gets a
 * file named after the time, and without an argument the folder `backups` does.
 */
const USAGE = "npm run backup -- [file or folder]";

await runCommand(USAGE, {}, async ({ positionals: [given = "backups"] }) => {
  const config = configOrExit("all");
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "postgres")))
    throw new Error(
      `There is nothing to back up in ${config.dataDir}. Give the data folder of the service with ` +
        "SERVICE_DATA_DIR, or its database with DATABASE_URL.",
    );
  const isFolder = given === "backups" || statSync(given, { throwIfNoEntry: false })?.isDirectory();
  const name = `warehouse-${new Date().toISOString().replace(/[:.]/g, "-")}.gz`;
  const path = resolve(isFolder ? join(given, name) : given);
  if (existsSync(path)) throw new Error(`${path} exists already. Give another name.`);
  mkdirSync(dirname(path), { recursive: true });
  const key = await encryptionKeyId(config);
  const { tables } = await withDatabase(config, false, (url) => backUp(url, path, key));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const megabytes = (statSync(path).size / 1_000_000).toFixed(1);
  console.log(`Backed up ${tables.length} tables with ${rows} rows into ${path} (${megabytes} MB).`);
  console.log(notInBackup(config, Boolean(config.databaseUrl)));
});
