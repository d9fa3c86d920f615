import { urlsOf } from "../database-hosts.js";

/** What Postgres says when it refuses a connection, by SQLSTATE. */
const refusals: Record<string, (at: DatabaseAddress) => string> = {
  "25006": ({ variable }) => `is a standby, which takes no writes. Promote it, or name the primary in ${variable}`,
  "28P01": ({ user, variable }) => `refuses the password of the role ${user}. Correct the one in ${variable}`,
  "28000": ({ user }) => `does not let the role ${user} in. Make it (create role), or allow it in pg_hba.conf`,
  "3D000": ({ database, user }) =>
    `has no database ${database}. Make it: create database "${database}" owner "${user}"`,
  "42501": ({ user, database }) =>
    `does not let the role ${user} into ${database}. Allow it: grant connect on database "${database}" to "${user}"`,
  "53300": () => "has no connection left. Raise its max_connections, or lower DATABASE_POOL_SIZE",
  "57P01": () => "is shutting down. Try again in a moment",
  "57P03": () => "is starting up or shutting down. Try again in a moment",
};

/** Why there is no connection, by the system's error code. */
const unreached: Record<string, (at: DatabaseAddress) => string> = {
  ECONNREFUSED: ({ server, variable }) => `Nothing listens at ${server}. Start Postgres there, or correct ${variable}.`,
  ENOTFOUND: ({ host, variable }) => `There is no host ${host}. Correct ${variable}, or look at the name server.`,
  EAI_AGAIN: ({ host }) => `The name server does not say where ${host} is. Look at the network.`,
  EHOSTUNREACH: ({ server }) => `There is no way to ${server}. Look at the network.`,
  ENETUNREACH: ({ server }) => `There is no way to ${server}. Look at the network.`,
  ETIMEDOUT: ({ server, variable }) =>
    `${server} does not answer. Look at the network and the firewalls between, or correct ${variable}.`,
  ECONNRESET: ({ server, variable }) =>
    `${server} breaks the connection off. Look whether Postgres is well there, or correct ${variable}.`,
  ENOENT: ({ server, variable }) => `There is no socket of Postgres in ${server}. Start it, or correct ${variable}.`,
  EACCES: ({ server }) => `This user may not use the socket of Postgres in ${server}.`,
};

interface DatabaseAddress {
  host: string;
  server: string;
  user: string;
  database: string;
  /** The variable that the URL was read from. */
  variable: string;
}

function placeOf(databaseUrl: string, variable: string): DatabaseAddress {
  const urls = urlsOf(databaseUrl).map((text) => new URL(text));
  const [url] = urls as [URL];
  const host = url.searchParams.get("host") ?? urls.map(({ hostname }) => decodeURIComponent(hostname)).join(" or ");
  const servers = urls.map(({ hostname, port }) => `${decodeURIComponent(hostname)}:${port || 5432}`);
  return {
    host,
    server: host.startsWith("/") ? host : servers.join(" or "),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    variable,
  };
}

/** Why there is no connection to the database, and what to do; undefined for any other error. */
export function connectionFault(error: unknown, databaseUrl: string, variable = "DATABASE_URL"): string | undefined {
  const { code = "", message } = error as { code?: string; message: string };
  const place = placeOf(databaseUrl, variable);
  const refused = refusals[code];
  if (refused) return `Postgres at ${place.server} ${refused(place)}.`;
  const lost = unreached[/timeout/i.test(message) ? "ETIMEDOUT" : /terminated/.test(message) ? "ECONNRESET" : code];
  if (lost) return lost(place);
  if (/SSL|certificate/i.test(message))
    return `No encrypted connection to Postgres at ${place.server}: ${message}. Correct sslmode in ${variable}.`;
  return undefined;
}
