import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { download } from "./download.js";
import type { SearchContext } from "./temporal-source.js";

/** Short, so that the next source is tried soon where this one cannot be reached. */
const STALLED_MS = 5_000;

/**
 * The program that the Temporal SDK downloads for its test environment; the SDK has no function that only downloads it.
 */
export async function fromSdk({ printLine }: SearchContext, base = "https://temporal.download"): Promise<Uint8Array> {
  const { version } = createRequire(import.meta.url)("@temporalio/worker/package.json");
  const query = new URLSearchParams({
    arch: process.arch === "x64" ? "amd64" : process.arch,
    platform: process.platform,
    "sdk-name": "sdk-typescript",
    "sdk-version": version,
  });
  const info = await download(`${base}/cli/default?${query}`, { stalledMs: STALLED_MS });
  const { archiveUrl, fileToExtract } = JSON.parse(info.toString());
  printLine(`Temporal: downloading the server from ${archiveUrl}`);
  const archive = await download(archiveUrl, { what: "Temporal server", stalledMs: STALLED_MS });
  const folder = await mkdtemp(join(tmpdir(), "temporal-"));
  try {
    await writeFile(join(folder, "archive"), archive);
    await promisify(execFile)("tar", ["-xzf", "archive", fileToExtract], { cwd: folder });
    return await readFile(join(folder, fileToExtract));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
