import type { Config } from "./config.js";

/** Where a session keeps its connection, for locks of a session and for LISTEN; a pooler between may change it. */
export const directUrl = ({
  databaseDirectUrl,
  databaseUrl,
}: Pick<Config<"migrate">, "databaseDirectUrl" | "databaseUrl">) => databaseDirectUrl ?? databaseUrl;
