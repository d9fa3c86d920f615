import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** 32 random bytes in base64 or base64url, generated once and stored in the folder, readable by its owner only. */
export async function storedSecret(
  folder: string,
  name: string,
  encoding: "base64" | "base64url" = "base64",
): Promise<string> {
  const path = join(folder, name);
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secret = randomBytes(32).toString(encoding);
  // Renamed when complete, so that an incomplete secret is never used.
  await writeFile(`${path}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secret;
}
