import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../src/launcher/free-port.js";
import { startPostgres } from "../../src/launcher/postgres.js";
import { postgresBinaries } from "../../src/launcher/postgres-binaries.js";
import { postgresUser } from "../../src/launcher/postgres-user.js";
import { testFolder } from "./test-folder.js";
import { until } from "./until.js";

/** A Postgres server in a process of its own. */
export interface Server {
  port: number;
  signal(signal: NodeJS.Signals): void;
  /** Starts it again after a kill. */
  start(): Promise<void>;
  /** Runs a statement as the superuser and gives the first row. */
  ask(text: string, database?: string): Promise<Record<string, unknown> | undefined>;
}

export interface Pair {
  /** The URL with both hosts, the standby first. */
  url: string;
  password: string;
  primary: Server;
  /** It replays what the primary does. */
  standby: Server;
  close(): void;
}

/**
 * A primary and its standby, without anything that promotes one. Commits wait for the standby, so that its promotion
 * loses none.
 */
export async function openPair(flags: string[] = []): Promise<Pair> {
  const folder = testFolder();
  const quiet = () => {};
  const made = await startPostgres({ folder, fsync: false, port: await freePort(), printLine: quiet });
  await made.stop();
  const { username, password, pathname } = new URL(made.url);
  const data = join(folder, "postgres");
  const copy = join(folder, "standby");
  execFileSync("cp", ["-a", data, copy]);
  const ports = [await freePort(), await freePort()] as const;
  writeFileSync(join(copy, "standby.signal"), "");
  const primary = serverOf(data, ports[0], ["-csynchronous_standby_names=*"]);
  const standby = serverOf(copy, ports[1], [
    `-cprimary_conninfo=host=127.0.0.1 port=${ports[0]} user=${username} password=${password}`,
  ]);
  await Promise.all([primary.start(), standby.start()]);

  function serverOf(home: string, port: number, more: string[]): Server {
    let process: ChildProcess | undefined;
    const { postgres } = postgresBinaries();
    const runAs = postgresUser(home, postgres);
    const options = ["-cfsync=off", "-clisten_addresses=127.0.0.1", "-cunix_socket_directories=", `-cport=${port}`];
    const { command, args } = runAs.command(postgres, ["-D", home, ...flags, ...options, ...more]);
    const start = async () => {
      // After a kill, its last sessions may take a moment to end.
      await until(async () => {
        process = spawn(command, args, { ...runAs.options, cwd: folder, stdio: "ignore", env: { LC_ALL: "C" } });
        await until(() => process?.exitCode !== null || answers(), 20_000);
        return process.exitCode === null;
      }, 30_000);
    };
    const answers = () =>
      ask("select").then(
        () => true,
        () => false,
      );
    const ask: Server["ask"] = async (text, database = "postgres") => {
      const client = new pg.Client(`postgres://${username}:${password}@127.0.0.1:${port}/${database}`);
      client.on("error", () => {});
      await client.connect();
      try {
        return (await client.query(text)).rows[0];
      } finally {
        await client.end();
      }
    };
    return { port, start, ask, signal: (signal) => void process?.kill(signal) };
  }

  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    ...{ primary, standby, password, url: `postgres://${username}:${password}@${hosts}${pathname}` },
    close: () => {
      for (const server of [primary, standby]) server.signal("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
