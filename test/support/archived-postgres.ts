import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { freePort } from "../../src/launcher/free-port.js";
import { postgresUser, type RunAs } from "../../src/launcher/postgres-user.js";
import { commandOf, configFile, entrypointOf, environmentOf, healthCheckOf } from "./compose.js";
import { endRole } from "./roles.js";
import { testFolder } from "./test-folder.js";
import { until } from "./until.js";

const PROGRAMS = ["initdb", "postgres", "psql", "pg_isready", "pg_basebackup", "pg_receivewal", "pg_archivecleanup"];
const DEBIAN = "/usr/lib/postgresql";
/** The first that can be asked for the place of a replication slot. */
const OLDEST = 15;

/** The folder with all programs of a Postgres, of which the embedded one has few; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : [];
  const version = (folder: string) => /\d+/.exec(`${spawnSync(join(folder, "postgres"), ["-V"]).stdout}`)?.[0];
  return [...(process.env.PATH ?? "").split(delimiter), ...installed]
    .filter((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
    .find((folder) => Number(version(folder)) >= OLDEST);
}

const given = {
  ...{ POSTGRES_PASSWORD: "root", WAREHOUSE_DB_PASSWORD: "warehouse", WAREHOUSE_APP_DB_PASSWORD: "app" },
  ...{ TEMPORAL_DB_PASSWORD: "temporal", ARCHIVE_DB_PASSWORD: "archive" },
};

/** The services `postgres`, `archive` and `restore` of docker-compose.yml, their commands run in a folder. */
export class ArchivedPostgres {
  readonly #folder = testFolder();
  /** What is archived. */
  readonly archive = join(this.#folder, "archive");
  readonly #env: NodeJS.ProcessEnv;
  readonly #runAs: RunAs;
  #server: ChildProcess | undefined;
  #archive: ChildProcess | undefined;

  private constructor(
    programs: string,
    private readonly port: number,
  ) {
    this.#runAs = postgresUser(this.#folder, join(programs, "postgres"));
    mkdirSync(this.archive);
    this.#runAs.own(this.archive);
    const files = { hba: "hba", databases: "databases", archive: "archive.sh", restore: "restore.sh" };
    for (const [name, file] of Object.entries(files)) writeFileSync(join(this.#folder, file), configFile(name));
    this.#env = {
      ...{ PATH: `${programs}${delimiter}${process.env.PATH}`, PGPORT: `${port}` },
      PGDATA: join(this.#folder, "data"),
    };
  }

  /** A new one, with the databases and roles. */
  static async make(programs: string): Promise<ArchivedPostgres> {
    const made = new ArchivedPostgres(programs, await freePort());
    await made.#run(["initdb", "-U", "postgres", "--no-sync", "--locale=C", "--encoding=UTF8"]);
    await made.start();
    const file = join(made.#folder, "databases");
    await made.#run(["psql", "-h", made.#folder, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-f", file], given);
    return made;
  }

  /** As with `docker compose exec postgres psql`. */
  psql(role: string, statement: string, database = "warehouse"): Promise<void> {
    return this.#run(["psql", "-h", this.#folder, "-U", role, "-d", database, "-c", statement]);
  }

  url(role: "warehouse" | "archive"): string {
    return `postgres://${role}:${role}@127.0.0.1:${this.port}/warehouse`;
  }

  /** @param more Settings that come on top of those of the compose file. */
  async start(...more: string[]): Promise<void> {
    const settings = {
      ...{ listen_addresses: "127.0.0.1", unix_socket_directories: this.#folder, fsync: "off" },
      // A checkpoint does not take its time, as it should where people work.
      checkpoint_completion_target: 0,
    };
    const flags = Object.entries(settings).map(([name, value]) => `-c${name}=${value}`);
    this.#server = this.#spawn([...this.#here(commandOf("postgres")), ...flags, ...more]);
    const asked = ["pg_isready", "-q", "-h", this.#folder];
    await until(
      () =>
        this.#run(asked).then(
          () => true,
          () => false,
        ),
      30_000,
    );
  }

  async end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    if (this.#server) await endRole(this.#server, signal);
    this.#server = undefined;
  }

  /** Starts the service `archive`. */
  startArchive(): ChildProcess {
    const env = { ...environmentOf("archive", given), PGHOST: "127.0.0.1" };
    this.#archive = this.#spawn(this.#here(commandOf("archive")), env);
    return this.#archive;
  }

  /** Whether the service `archive` is healthy. */
  async archives(): Promise<boolean> {
    const check = this.#spawn(this.#here(healthCheckOf("archive")));
    const [code] = await once(check, "exit");
    return code === 0;
  }

  /** `docker compose run --rm restore`, with a moment or without. Rejects with what was said. */
  async restore(...moment: string[]): Promise<void> {
    await this.#run(this.#here([...entrypointOf("restore"), ...moment]), { PGHOST: "127.0.0.1" });
  }

  /** Ends what a failed test left behind. */
  remove(): void {
    this.#archive?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** With the paths of this machine instead of those in the containers. */
  #here(command: string[]): string[] {
    const paths = { "/archive.sh": "archive.sh", "/restore.sh": "restore.sh", "/etc/postgresql/pg_hba.conf": "hba" };
    const folders = { "/var/lib/postgresql": "archive", "/archive": "archive" };
    return command.map((word) =>
      Object.entries({ ...paths, ...folders }).reduce(
        (text, [there, here]) => text.replace(new RegExp(`(?<![\\w/])${there}(?![\\w.])`), join(this.#folder, here)),
        word,
      ),
    );
  }

  #spawn(words: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const [program = "", ...rest] = words;
    const { command, args } = this.#runAs.command(program, rest);
    const log = openSync(join(this.#folder, "log"), "a");
    const started = spawn(command, args, {
      ...{ ...this.#runAs.options, cwd: this.#folder, env: { ...this.#env, ...env } },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    return started;
  }

  async #run(words: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const log = join(this.#folder, "log");
    const from = existsSync(log) ? statSync(log).size : 0;
    const [code] = await once(this.#spawn(words, env), "exit");
    if (code !== 0) throw new Error(`${words.join(" ")}: ${readFileSync(log, "utf8").slice(from)}`);
  }
}
