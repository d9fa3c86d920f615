import { type Config, directUrl } from "../platform/config/config.js";
import { databaseFault } from "../platform/db/reach.js";
import { makeDataFolder } from "./data-folder.js";
import { lockFolder } from "./lock.js";
import { runningPostgres, startPostgres } from "./postgres.js";
import { Processes } from "./processes.js";
import { onStopRequest } from "./stop-request.js";
import { printLine } from "./terminal.js";

/**
 * Runs `work` with the URL of an installation's database: that of DATABASE_URL, else that of the embedded Postgres,
 * which is started for this time when it does not run. With `alone`, a service that runs on the folder is an error.
 */
export async function withDatabase<T>(
  config: Pick<Config, "databaseUrl" | "databaseDirectUrl" | "dataDir">,
  alone: boolean,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (databaseUrl) {
    const fault = await databaseFault({ databaseUrl, databaseDirectUrl });
    if (fault) throw new Error(fault);
    return work(directUrl({ databaseUrl, databaseDirectUrl }));
  }
  const running = alone ? undefined : await runningPostgres(dataDir);
  if (running) return work(running);
  const folder = makeDataFolder(dataDir);
  process.umask(0o077);
  await lockFolder(folder, printLine);
  const processes = new Processes(printLine);
  const stop = () => processes.stop("Postgres");
  onStopRequest(
    () => void stop().then(() => process.exit(130)),
    () => process.exit(130),
  );
  try {
    return await work((await startPostgres({ folder, printLine, processes })).url);
  } finally {
    await stop();
  }
}
