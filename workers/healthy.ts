import { hostname } from "node:os";
import { openTemporal } from "../api/http/workflow-updates.js";
import { workers } from "../api/system/readiness.js";
import { configOrExit } from "../src/config/config.js";

/** The health check of a worker's container, which has a host name of its own: exits with 0 when its worker polls. */
openTemporal(configOrExit("worker"));
const here = `@${hostname()}`;
const polls = (await workers()).some((identity) => identity.endsWith(here));
process.exit(polls ? 0 : 1);
