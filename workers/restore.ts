import { rm } from "node:fs/promises";
import { join } from "node:path";
import { verifyBackup } from "../activities/maintenance/backup/file.js";
import { restore } from "../activities/maintenance/backup/restore.js";
import { migrations } from "../migrations/index.js";
import { withDatabase } from "../src/launcher/database.js";
import { encryptionKeyId, encryptionKeyPlace } from "../src/launcher/kept-secrets.js";
import { runCommand } from "../src/launcher/run-command.js";
import { configOrExit } from "../src/platform/config/config.js";

/**
 * `npm run restore -- file [--replace]`: restores a backup into an empty database, or into one whose contents may be
 * replaced. The service must not run.
 */
const USAGE = "npm run restore -- <file> [--replace]";

await runCommand(USAGE, { replace: { type: "boolean" } }, async ({ positionals: [path], values }) => {
  if (!path) throw new Error(`Which backup? ${USAGE}`);
  const config = configOrExit("all");
  const backup = await verifyBackup(path);
  const { manifest } = backup;
  const [replace, applicationRole] = [values.replace === true, config.databaseAppRole];
  await withDatabase(config, true, (databaseUrl) =>
    restore(backup, { databaseUrl, migrations, replace, applicationRole }),
  );
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`Restored ${manifest.tables.length} tables with ${rows} rows, as they were at ${manifest.taken_at}.`);
  if (config.temporalAddress || config.databaseUrl)
    console.log(
      "Empty Temporal before the service starts: it knows waves that these rows do not (docs/operations.md).",
    );
  else {
    // Temporal has workflows of the replaced rows. They are started again from the restored rows.
    for (const name of ["temporal.db", "temporal.db-wal", "temporal.db-shm"])
      await rm(join(config.dataDir, name), { force: true });
    console.log("Temporal begins anew: open waves and counts get their processes back within minutes of the start.");
  }
  const has = await encryptionKeyId(config);
  if (manifest.encryption_key && manifest.encryption_key !== has)
    console.log(
      `Its credentials are sealed under the encryption key ${manifest.encryption_key}; here is ` +
        `${has ?? "none yet"}. Put that one into ${encryptionKeyPlace(config)} before the service starts.`,
    );
});
