import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** More than all servers of a run ever hold. */
const ROOM_BYTES = 4 * 2 ** 30;
const PREFIX = "warehouse-test-";

/**
 * A folder for the data of test servers; in memory where there is room, because a database is made there, file by file,
 * in a tenth of the time. What a killed run left there is deleted.
 */
export function testFolder(): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), PREFIX));
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith(PREFIX)))
    if (!runs(Number(name.split("-")[2]))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  return mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false; // Only Linux has it.
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
