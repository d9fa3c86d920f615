import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../src/launcher/postgres.js";
import { onStopRequest } from "../src/launcher/stop-request.js";
import { startTemporal } from "../src/launcher/temporal-server.js";
import type { Options } from "./options.js";
import { type BenchService, openService } from "./service.js";

/** A folder of the bench's own, and what runs in it; all of it ends with the program. */
const folder = mkdtempSync(join(tmpdir(), "warehouse-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const ends: (() => Promise<void>)[] = [];
onStopRequest(
  () => end(130),
  () => process.exit(130),
);

export const folderOf = (name: string): string => join(folder, name);

export async function end(code: number): Promise<never> {
  for (const stop of ends.splice(0).reverse()) await stop();
  process.exit(code);
}

/** Postgres, Temporal, and a service for each of the warehouses; at least one. */
export async function openServices(
  warehouses: Options["warehouses"],
  printLine: (line: string) => void,
): Promise<[BenchService, ...BenchService[]]> {
  const home = folderOf("load");
  const postgres = await startPostgres({ folder: home, printLine });
  ends.push(postgres.stop);
  const temporal = await startTemporal({ folder: home, printLine });
  ends.push(temporal.stop);
  const services: BenchService[] = [];
  for (const { times, size } of warehouses) {
    printLine(`Filling a warehouse, times ${times}…`);
    const service = await openService(times, size, home, postgres.url, temporal.address);
    ends.push(service.close);
    services.push(service);
  }
  return services as [BenchService, ...BenchService[]];
}
