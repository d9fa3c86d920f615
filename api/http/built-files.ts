import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Request, Response } from "express";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

interface File {
  type: string;
  content: Buffer;
  zipped?: Buffer;
}
const zip = promisify(gzip);

async function readFiles(folder: URL): Promise<Map<string, File>> {
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const read = names.map(async (name): Promise<[string, File][]> => {
    const type = types[extname(name)];
    if (!type) return [];
    const content = await readFile(new URL(name, folder));
    return [
      [name.replaceAll("\\", "/"), { type, content, ...(!type.includes("png") && { zipped: await zip(content) }) }],
    ];
  });
  return new Map((await Promise.all(read)).flat());
}

/** The files of a folder that the build writes, by name: read and compressed once, at the first request. */
export function builtFiles(folder: URL) {
  let files: Promise<Map<string, File>> | undefined;
  /** Sends a file if there is one. */
  return async function send(name: string, req: Request, res: Response, cacheControl: string): Promise<boolean> {
    files ??= readFiles(folder);
    const file = (await files).get(name);
    if (!file) return false;
    const zipped = req.acceptsEncodings("gzip") ? file.zipped : undefined;
    res.setHeader("Cache-Control", cacheControl);
    res.setHeader("Vary", "Accept-Encoding");
    res.setHeader("Content-Type", file.type);
    if (zipped) res.setHeader("Content-Encoding", "gzip");
    res.end(zipped ?? file.content);
    return true;
  };
}
