import { migrations } from "../migrations/index.js";
import { configOrExit } from "../src/config.js";
import { log } from "../src/log.js";
import { migrate } from "../src/migrate.js";

/** `npm run migrate`: brings the database of DATABASE_URL to the newest schema. */
const ran = await migrate(configOrExit("migrate").databaseUrl, migrations);
log.info({ ran }, ran.length > 0 ? "database migrated" : "database is up to date");
