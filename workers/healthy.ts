import { hostname } from "node:os";
import { openEngine } from "../api/process.js";
import { workers } from "../api/readiness.js";
import { configOrExit } from "../src/config.js";

/** The health check of a worker's container, which has a host name of its own: exits with 0 when its worker asks for work. */
openEngine(configOrExit("worker"));
const here = `@${hostname()}`;
const polls = (await workers()).some((identity) => identity.endsWith(here));
process.exit(polls ? 0 : 1);
