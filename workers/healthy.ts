import { hostname } from "node:os";
import { openTemporal } from "../api/http/workflow-updates.js";
import { workers } from "../api/system/readiness.js";
import { configOrExit } from "../src/platform/config/config.js";

/** The health check of a worker's container: exits with 0 when a worker with this host name polls. */
openTemporal(configOrExit("worker"));
const here = `@${hostname()}`;
const polls = (await workers()).some((identity) => identity.endsWith(here));
process.exit(polls ? 0 : 1);
