import { createWriteStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import tar from "tar-stream";

/**
 * Writes files of a folder as `.tar.gz`. Time, owner, order and rights are always the same, so equal files make an equal
 * archive, wherever and whenever it is made.
 * @param names Of the files in the archive; `from` says where each is.
 */
export async function archive(target, names, from, mtime) {
  const pack = tar.pack();
  const written = pipeline(pack, createGzip({ level: 9 }), createWriteStream(target));
  for (const name of names.toSorted()) {
    const path = from(name);
    const isProgram = (statSync(path).mode & 0o100) !== 0;
    const fixed = { mtime, uid: 0, gid: 0, uname: "", gname: "", mode: isProgram ? 0o755 : 0o644 };
    pack.entry({ name, type: "file", ...fixed }, readFileSync(path));
  }
  pack.finalize();
  await written;
}

/** Which files an image is built from: what `.dockerignore` leaves, of which the last line that fits counts. */
export function contextOf(folder, files) {
  const rules = readFileSync(join(folder, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), path: line.replace(/^!/, "") }));
  const fits = (path, name) => path === "*" || name === path || name.startsWith(`${path}/`);
  const isKept = (name) => rules.findLast(({ path }) => fits(path, name))?.keeps ?? true;
  return files.filter((name) => ["Dockerfile", ".dockerignore"].includes(name) || isKept(name));
}
