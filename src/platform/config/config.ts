import { createRequire } from "node:module";
import { z } from "zod";
import { nearest } from "./nearest.js";
import { retentions } from "./retention.js";
import { variables } from "./variables.js";

/** The roles of processes, which require different variables. */
export type Role = "all" | "api" | "worker" | "migrate" | "rotate";

const anyInterface = ["0.0.0.0", "::"];
const forDevelopment = ["allowHttpWebhooks", "allowInternalWebhooks", "allowInternalConnectors"] as const;
const partsOfAttempt = ["dispatcherHttpConnectTimeoutMs", "dispatcherHttpReadTimeoutMs"] as const;
const schema = z.object(variables);
type Values = z.output<typeof schema>;
type Name = keyof Values;

/** The variables that each role requires. `all` generates missing ones. */
const required = {
  all: [],
  migrate: ["databaseUrl"],
  rotate: ["databaseUrl", "encryptionKey"],
  worker: ["databaseUrl", "temporalAddress", "encryptionKey"],
  api: ["databaseUrl", "temporalAddress", "jwtSecret", "encryptionKey", "tokenPepper"],
} as const satisfies Record<Role, Name[]>;

/** The validated configuration of a role; the variables that it requires are not optional. */
export type Config<R extends Role = "all"> = Values & {
  [K in (typeof required)[R][number]]-?: NonNullable<Values[K]>;
};

/** All faults of the variables, a line each. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The environment variable of a value, such as `SERVICE_DATA_DIR` for `dataDir`. */
export const envName = (name: Name) => String(variables[name].meta()?.env);

/**
 * Reads and checks all variables of a role; an empty one counts as not given. Throws one ConfigError for all faults.
 */
export function readConfig<R extends Role>(env: NodeJS.ProcessEnv, role: R): Config<R> {
  const production = env.NODE_ENV === "production";
  const names = Object.keys(variables) as Name[];
  const given = Object.fromEntries(names.map((name) => [name, env[envName(name)] || undefined]));
  // The defaults are origins on the developer's machine, which no real installation should trust.
  if (production) given.corsOrigins ??= "";
  const parsed = schema.safeParse(given);
  const invalid = (parsed.error?.issues ?? []).map((issue) => {
    const name = issue.path[0] as Name;
    return `${envName(name)}: expected ${issue.message}`;
  });
  const faults = [...new Set(invalid)];
  for (const name of required[role]) if (!given[name]) faults.push(`${envName(name)}: required, but not given`);
  faults.push(...contradictions(given, production));
  if (!parsed.success || faults.length > 0)
    throw new ConfigError(
      [
        `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:`,
        ...faults.map((fault) => `  ${fault}`),
        "See docs/configuration.md.",
      ].join("\n"),
    );
  return parsed.data as Config<R>;
}

/** Variables that are valid one by one, but not together. */
function contradictions(given: Partial<Record<Name, string>>, production: boolean): string[] {
  const faults: string[] = [];
  const value = <N extends Name>(name: N) => variables[name].safeParse(given[name]).data as Values[N] | undefined;
  if (Boolean(given.temporalTlsCert) !== Boolean(given.temporalTlsKey))
    faults.push("TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY: expected both or neither");
  const ofProvider = [given.oidcIssuer, given.oidcClientId, given.oidcClientSecret];
  if (ofProvider.some(Boolean) && !ofProvider.every(Boolean))
    faults.push("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: expected all or none");
  if (production && given.oidcIssuer?.startsWith("http:"))
    faults.push("OIDC_ISSUER: expected https:// with NODE_ENV=production");
  const open = anyInterface.includes(given.host ?? "");
  if (value("trustProxy") && open && !value("allowOpenBind"))
    faults.push(
      `TRUST_PROXY: expected a HOST that only the proxy reaches, not ${given.host}, where anyone can send forged ` +
        "headers (SERVICE_ALLOW_OPEN_BIND=1 if that is kept out elsewhere)",
    );
  for (const name of forDevelopment)
    if (production && value(name))
      faults.push(`${envName(name)}: expected false with NODE_ENV=production; it is for development`);
  for (const name of retentions)
    if (given[name] && !given.retentionFolder)
      faults.push(`${envName(name)}: expected SERVICE_RETENTION_FOLDER with it, where the rows go`);
  const whole = value("dispatcherHttpTimeoutMs");
  for (const name of partsOfAttempt)
    if (Number(value(name)) > Number(whole))
      faults.push(`${envName(name)}: expected at most DISPATCHER_HTTP_TIMEOUT_MS, which is ${whole}`);
  return faults;
}

/** A line for each variable that looks like one of ours and is not: otherwise nobody would report the misspelling. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = (Object.keys(variables) as Name[]).map(envName);
  return Object.keys(env)
    .filter((name) => name.startsWith("SERVICE_") && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is no variable of this service, it does nothing${meant ? `; is ${meant} meant?` : "."}`;
    });
}

/**
 * The configuration of this process. Reports unknown variables; when a value is invalid, prints why and exits with 78
 * (EX_CONFIG).
 */
export function configOrExit<R extends Role>(role: R): Config<R> {
  for (const line of unknownVariables(process.env)) console.error(line);
  try {
    return readConfig(process.env, role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(78);
  }
}

/** The version of the running service. */
export const { version } = createRequire(import.meta.url)("../../../../package.json") as { version: string };

/** The URL for connections with session state, for session locks and LISTEN; a pooler between may not keep sessions. */
export const directUrl = ({
  databaseDirectUrl,
  databaseUrl,
}: Pick<Config<"migrate">, "databaseDirectUrl" | "databaseUrl">) => databaseDirectUrl ?? databaseUrl;
