import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { urlsOf } from "../database-hosts.js";
import { sourceSystemKinds } from "../fields.js";
import { isTimeZone } from "../time.js";
import { faultOfUsername } from "../username.js";
import { connectorVariables } from "./connectors.js";
import { monitoringVariables } from "./monitoring.js";
import { notificationVariables } from "./notifications.js";
import { printingVariables } from "./printing.js";
import { retentionVariables } from "./retention.js";
import { signInVariables } from "./sign-in.js";
import { env, flag, wholeNumber } from "./variable-kinds.js";
import { webhookVariables } from "./webhooks.js";

const file = z
  .string()
  .transform((path) => resolve(path))
  .refine(existsSync, "the path of a file that exists");
/** Values separated by commas. */
const list = (byDefault = "") =>
  z
    .string()
    .default(byDefault)
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .transform((entries) => entries.filter((entry) => entry !== ""));
const KEY_WORDS = "32 random bytes in base64 (openssl rand -base64 32)";
const encryptionKey = z.base64(KEY_WORDS).refine((key) => Buffer.from(key, "base64").length === 32, KEY_WORDS);
/** Long enough, and no placeholder of an example: not few different characters, nor words such as "change me". */
const isSecret = (text: string) =>
  text.trim().length >= 32 &&
  new Set(text).size >= 10 &&
  !/change.?me|placeholder|example|your.?(secret|pepper)|replace/i.test(text);
const kinds = sourceSystemKinds.join(", ");
const SOURCE_SYSTEM = new RegExp(`^[\\w.-]{1,64}:(${sourceSystemKinds.join("|")})$`);
const SOURCE_SYSTEM_WORDS = `name:kind pairs, comma-separated, each kind one of ${kinds}`;
const sourceSystemOf = (entry: string) => {
  const [source_system, kind] = entry.split(":");
  return { source_system, kind } as { source_system: string; kind: (typeof sourceSystemKinds)[number] };
};
const levels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const isPostgresUrl = (url: string) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(url).success;
const postgresUrl = z
  .string()
  .refine((text) => urlsOf(text).every(isPostgresUrl), "a postgres://user:password@host:port/database URL");

/** All environment variables, by their name in code. `docs/configuration.md` is generated from this. */
export const variables = {
  host: z
    .string()
    .default("127.0.0.1")
    .meta(
      env(
        "HOST",
        "Address the API listens on. 0.0.0.0 = every interface, :: = also by IPv6, if there is any (put TLS in front).",
      ),
    ),
  port: wholeNumber(1, 65_535).default(8080).meta(env("PORT", "Port of the API. A taken port is an error.")),
  dataDir: z
    .string()
    .default(".data")
    .transform((path) => resolve(path))
    .meta(env("SERVICE_DATA_DIR", "Folder of the embedded servers' data, logs and generated secrets.")),
  databaseUrl: postgresUrl
    .optional()
    .meta(
      env(
        "DATABASE_URL",
        "Postgres to use; of several hosts (`one:5432,two:5432`) the primary. " +
          "Not given to `npm start`: an embedded one.",
      ),
    ),
  databaseDirectUrl: postgresUrl
    .optional()
    .meta(
      env(
        "DATABASE_DIRECT_URL",
        "The same database past PgBouncer, for migrations, LISTEN and locks of a session. Not given: DATABASE_URL.",
      ),
    ),
  databaseAppRole: z
    .string()
    .optional()
    .meta(
      env(
        "SERVICE_DATABASE_APP_ROLE",
        "Database role that API and workers log in as, which `npm run migrate` grants what they need. Not " +
          "given: they are the owner too.",
      ),
    ),
  databasePoolSize: wholeNumber(1, 1000)
    .default(16)
    .meta(env("DATABASE_POOL_SIZE", "Most database connections of one process.")),
  temporalAddress: z
    .string()
    .regex(/^\S+:\d+$/, "host:port")
    .optional()
    .meta(
      env(
        "TEMPORAL_ADDRESS",
        "Temporal cluster or Temporal Cloud, as host:port. Not given to `npm start`: a local server with its UI.",
      ),
    ),
  temporalNamespace: z.string().default("default").meta(env("TEMPORAL_NAMESPACE", "Temporal namespace.")),
  temporalApiKey: z.string().optional().meta(env("TEMPORAL_API_KEY", "API key of Temporal Cloud; turns TLS on.")),
  temporalTlsCert: file.optional().meta(env("TEMPORAL_TLS_CERT", "PEM file of the client certificate for mutual TLS.")),
  temporalTlsKey: file.optional().meta(env("TEMPORAL_TLS_KEY", "PEM file of that certificate's key.")),
  temporalTlsCa: file
    .optional()
    .meta(env("TEMPORAL_TLS_CA", "PEM file of the authority that signed the server's certificate.")),
  temporalTlsServerName: z
    .string()
    .optional()
    .meta(
      env("TEMPORAL_TLS_SERVER_NAME", "Name in the server's certificate, where the address has another; turns TLS on."),
    ),
  temporalUiPort: wholeNumber(1, 65_535)
    .default(8233)
    .meta(env("TEMPORAL_UI_PORT", "Port of the local Temporal UI; a free one when it is taken.")),
  temporalUiUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta(
      env(
        "SERVICE_TEMPORAL_UI_URL",
        "Where people open the Temporal UI: the console links to it. Not given to `npm start`: the local one.",
      ),
    ),
  encryptWorkflows: flag
    .default(false)
    .meta(
      env(
        "SERVICE_ENCRYPT_WORKFLOWS",
        "Encrypt what workflows are given, answer and say, before Temporal stores it, under SERVICE_ENCRYPTION_KEY " +
          "(docs/operations.md, Encrypted workflows).",
      ),
    ),
  temporalTaskQueue: z
    .string()
    .default("warehouse")
    .meta(env("TEMPORAL_TASK_QUEUE", "Task queue that API and workers meet on.")),
  workerVersioning: flag
    .default(false)
    .meta(
      env(
        "SERVICE_WORKER_VERSIONING",
        "Worker Versioning: Temporal lets the version of the workers that began a wave end it, and gives all else to " +
          "the current one (docs/operations.md, Worker Versioning).",
      ),
    ),
  adminUsername: z
    .string()
    .trim()
    .min(1, "1 to 150 characters")
    .max(150, "1 to 150 characters")
    .refine(
      (name) => !faultOfUsername(name),
      "a name of characters that can be seen, which does not begin with system:",
    )
    .default("admin")
    .meta(env("SERVICE_ADMIN_USERNAME", "First admin, made when the database has no user.")),
  adminPassword: z
    .string()
    .max(256, "at most 256 characters")
    .regex(/^(?=.*\p{L})(?=.*\d).{8,}$/su, "at least 8 characters, with a letter and a digit")
    .optional()
    .meta(env("SERVICE_ADMIN_PASSWORD", "Password of the first admin. Not given: made at random and shown once.")),
  demoData: z
    .union([flag, z.literal("data")], "true, false or data")
    .optional()
    .meta(
      env(
        "SERVICE_DEMO_DATA",
        "Fill an empty database with demo data, and let `npm start` simulate an hour of work beside it; `data`: " +
          "without that hour. Not given: yes for the embedded Postgres, no for a given one.",
      ),
    ),
  jwtSecret: z
    .string()
    .min(32, "at least 32 characters")
    .optional()
    .meta(env("JWT_SECRET", "Signs logins. Not given to `npm start`: made once, kept in the data folder.")),
  encryptionKey: encryptionKey
    .optional()
    .meta(
      env(
        "SERVICE_ENCRYPTION_KEY",
        "Encrypts stored credentials; 32 bytes in base64. Not given to `npm start`: made once, kept in the " +
          "data folder.",
      ),
    ),
  encryptionKeysPrevious: list()
    .pipe(z.array(encryptionKey))
    .meta(
      env(
        "SERVICE_ENCRYPTION_KEYS_PREVIOUS",
        "Keys that stored credentials may still be encrypted with, comma-separated: they are read, never " +
          "written (docs/operations.md, Secrets).",
      ),
    ),
  tokenPepper: z
    .string()
    .refine(isSecret, "at least 32 characters of a secret, at random")
    .optional()
    .meta(
      env(
        "SERVICE_TOKEN_PEPPER",
        "Goes into the hash of every integration token. Not given to `npm start`: made once, kept in the data folder.",
      ),
    ),
  companyTimeZone: z
    .string()
    .refine(isTimeZone, "a time zone of the IANA list, such as Europe/Berlin")
    .default("UTC")
    .meta(
      env(
        "SERVICE_COMPANY_TIMEZONE",
        "Time zone by whose clock days and hours are, of warehouses without one of their own; an IANA name.",
      ),
    ),
  corsOrigins: list("http://localhost:3000,http://localhost:5000,http://localhost:5173,http://localhost:8081")
    .pipe(
      z.array(
        z
          .string()
          .regex(/^https?:\/\/[^/*\s]+$/, "origins separated by commas, such as https://panel.example.com; never *"),
      ),
    )
    .meta(
      env(
        "CORS_ORIGINS",
        "Browser origins that may call the API, comma-separated. With NODE_ENV=production the default is none.",
      ),
    ),
  trustProxy: flag
    .default(false)
    .meta(
      env(
        "TRUST_PROXY",
        "Believe one hop of X-Forwarded-For, -Proto and -Host. Refused with HOST=0.0.0.0, where anyone could " +
          "send them.",
      ),
    ),
  allowOpenBind: flag
    .default(false)
    .meta(
      env(
        "SERVICE_ALLOW_OPEN_BIND",
        "Allow TRUST_PROXY with HOST=0.0.0.0, because something else keeps strangers out.",
      ),
    ),
  logLevel: z
    .enum(levels, `one of ${levels.join(", ")}`)
    .default("info")
    .meta(env("LOG_LEVEL", "Least severity that is logged.")),
  rateLimitPerMinute: wholeNumber(0)
    .default(6000)
    .meta(env("RATE_LIMIT_PER_MINUTE", "Requests a minute of one floor or admin user; 0 = no limit.")),
  openRateLimitPerMinute: wholeNumber(0)
    .default(300)
    .meta(
      env(
        "OPEN_RATE_LIMIT_PER_MINUTE",
        "Requests a minute of one address without a sound credential (logins, refused ones), over all API " +
          "processes together; 0 = no limit.",
      ),
    ),
  sourceSystems: list()
    .pipe(z.array(z.string().regex(SOURCE_SYSTEM, SOURCE_SYSTEM_WORDS)))
    .transform((list) => list.map(sourceSystemOf))
    .meta(
      env("SERVICE_SOURCE_SYSTEMS", `Systems that may push records, as name:kind, comma-separated; kinds: ${kinds}.`),
    ),
  inboundMappingsDir: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .meta(
      env(
        "SERVICE_INBOUND_MAPPINGS_DIR",
        "Folder of the mapping documents, one for each source system (docs/mappings.md). Not given: none, or " +
          "the demo's where `npm start` runs its own Postgres.",
      ),
    ),
  inboundMaxBodyKb: wholeNumber(16, 4096)
    .default(256)
    .meta(env("SERVICE_INBOUND_MAX_BODY_KB", "Largest body of an inbound request, in KB (16 to 4096).")),
  stationMaxBodyKb: wholeNumber(16, 1024)
    .default(64)
    .meta(env("SERVICE_STATION_MAX_BODY_KB", "Largest body of a shipping station's request, in KB (16 to 1024).")),
  posMaxBodyKb: wholeNumber(16, 4096)
    .default(256)
    .meta(env("SERVICE_POS_MAX_BODY_KB", "Largest body of a till's request, in KB (16 to 4096).")),
  bodiesMb: wholeNumber(16, 4096)
    .default(64)
    .meta(
      env(
        "SERVICE_BODIES_MB",
        "Most bodies that an API process holds at once, in MB (16 to 4096); a caller may have a quarter, or 12 MB.",
      ),
    ),
  requestTimeoutS: wholeNumber(1, 600)
    .default(60)
    .meta(env("SERVICE_REQUEST_TIMEOUT_S", "Longest that a whole request may take to arrive, in seconds (1 to 600).")),
  posLockTimeoutMs: wholeNumber(100, 30_000)
    .default(2_000)
    .meta(
      env("SERVICE_POS_LOCK_TIMEOUT_MS", "Longest that a sale waits for another one's lock, in ms (100 to 30000)."),
    ),
  posStatementTimeoutMs: wholeNumber(100, 30_000)
    .default(4_000)
    .meta(
      env("SERVICE_POS_STATEMENT_TIMEOUT_MS", "Longest that one statement of a sale may take, in ms (100 to 30000)."),
    ),
  inboundRateLimitPerMinute: wholeNumber(0)
    .default(500)
    .meta(
      env(
        "INBOUND_RATE_LIMIT_PER_MINUTE",
        "Inbound requests a minute of one token, over all API processes together; 0 = no limit.",
      ),
    ),
  inboundSourcePayloadRetentionDays: wholeNumber(7, 36_500)
    .default(90)
    .meta(
      env(
        "SERVICE_INBOUND_SOURCE_PAYLOAD_RETENTION_DAYS",
        "Days that what another system sent is kept as it came (7 at least); what it became stays.",
      ),
    ),
  pollRateLimitPerMinute: wholeNumber(0)
    .default(120)
    .meta(
      env(
        "POLL_RATE_LIMIT_PER_MINUTE",
        "Requests a minute of one token to each endpoint that gives out events, over all API processes " +
          "together; 0 = no limit.",
      ),
    ),
  snapshotRateLimitPerMinute: wholeNumber(0)
    .default(2)
    .meta(
      env(
        "SNAPSHOT_RATE_LIMIT_PER_MINUTE",
        "Snapshots that one token may begin in a minute, over all API processes together; 0 = no limit.",
      ),
    ),
  validateEventSchemas: flag
    .default(false)
    .meta(
      env(
        "SERVICE_VALIDATE_EVENT_SCHEMAS",
        "Hold every event against its schema before it is written; one that does not fit undoes what caused it.",
      ),
    ),
  ...signInVariables,
  ...retentionVariables,
  ...monitoringVariables,
  ...webhookVariables,
  ...notificationVariables,
  ...printingVariables,
  ...connectorVariables,
};
