import { z } from "zod";
import { TooManyRequests } from "../../src/auth/problems.js";
import { version } from "../../src/platform/config/config.js";
import * as field from "../../src/platform/fields/index.js";
import { AnyText } from "../../src/platform/fields.js";
import { log } from "../../src/platform/log.js";
import { problem } from "../../src/platform/problem.js";
import { addressOf } from "../http/address-limit.js";
import { admin, open, route } from "../http/route.js";
import { sharedLimit } from "../http/shared-limit.js";
import { readiness } from "./readiness.js";

/** Health, readiness and version, for operators: docs/interface.md, Health. */

export const getHealth = route("get /api/health", {
  for: open,
  summary: "The process is alive",
  unlimited: true,
  answers: {
    200: z.strictObject({
      status: z.literal("ok").describe("Always this one: the process answers."),
      service: AnyText("warehouse-execution-service").describe("Name of the service."),
    }),
  },
  run: () => ({ status: "ok" as const, service: "warehouse-execution-service" }),
});

const NotReady = problem("not_ready", 503, "not_ready");

export const getReadiness = route("get /api/ready", {
  for: open,
  summary:
    "Whether database and Temporal answer, Temporal has the search attributes and a worker polls; " +
    "else what is `missing`",
  unlimited: true,
  answers: {
    200: z.strictObject({
      status: z.literal("ready").describe("Always this one: requests can be served."),
      postgres: z.literal(true).describe("Whether the database answers."),
      temporal: z.literal(true).describe("Whether Temporal answers."),
      worker: z.literal(true).describe("Whether a worker polls."),
    }),
  },
  errors: [NotReady],
  run: async () => {
    const { missingAttributes, ...seen } = await readiness();
    const missing = Object.entries(seen).flatMap(([part, there]) => (there ? [] : [part]));
    missing.push(...missingAttributes.map((name) => `search attribute ${name}`));
    if (missing.length > 0) throw NotReady({}, { missing });
    return { status: "ready" as const, postgres: true as const, temporal: true as const, worker: true as const };
  },
});

const reportLimit = sharedLimit("csp-report", 60, TooManyRequests);

export const reportContentSecurityPolicyViolation = route("post /api/csp-report", {
  for: open,
  summary: "Logs a browser's report of a violated content security policy",
  answers: { 204: z.undefined() },
  errors: [TooManyRequests],
  run: async ({ req }) => {
    await reportLimit.take(addressOf(req));
    log.info({ report: JSON.stringify(req.body ?? null).slice(0, 2_000) }, "content security policy broken");
    return undefined;
  },
});

export const getSystemInfo = route("get /api/admin/system-info", {
  for: admin,
  summary: "Whether the headers of a proxy are trusted, and the running version",
  answers: {
    200: z.strictObject({
      proxy_fix_active: z.boolean().describe("Whether a proxy's headers are believed."),
      version: field.Version,
    }),
  },
  run: ({ options }) => ({ proxy_fix_active: options.trustProxy, version }),
});
