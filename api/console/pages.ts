import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Express, RequestHandler, Response } from "express";

/** The two pages of `console/` as built: the desk, the scanner, and their files. */
const folder = new URL("../../console/", import.meta.url);

/**
 * The scanner may use the camera, and compile the WebAssembly that reads barcodes where the browser cannot. It sets no
 * styles in its pages, as the desk's components do.
 */
const scanHeaders = new Map([
  [
    "Content-Security-Policy",
    "default-src 'self';script-src 'self' 'wasm-unsafe-eval';style-src 'self';img-src 'self' data: blob:;" +
      "frame-ancestors 'none';object-src 'none';base-uri 'none';form-action 'self';report-uri /api/csp-report",
  ],
  ["Permissions-Policy", "camera=(self), microphone=(), geolocation=()"],
]);

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
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
/** All files by name, read and compressed once, at the first request. */
let files: Promise<Map<string, File>> | undefined;

async function readFiles(): Promise<Map<string, File>> {
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

/** Sends a file if there is one. Names in `assets/` change with the content, so they may be cached for ever. */
async function send(name: string, acceptsGzip: boolean, res: Response): Promise<boolean> {
  files ??= readFiles();
  const file = (await files).get(name);
  if (!file) return false;
  const zipped = acceptsGzip ? file.zipped : undefined;
  res.setHeader("Cache-Control", name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
  res.setHeader("Vary", "Accept-Encoding");
  res.setHeader("Content-Type", file.type);
  if (zipped) res.setHeader("Content-Encoding", "gzip");
  res.end(zipped ?? file.content);
  return true;
}

/** The page at a path and at all paths below it, which the page itself resolves. */
const page =
  (name: string, headers?: Map<string, string>): RequestHandler =>
  async (req, res, next) => {
    if (headers) res.setHeaders(headers);
    if (!(await send(name, Boolean(req.acceptsEncodings("gzip")), res))) next();
  };

const file =
  (name?: string): RequestHandler =>
  async (req, res, next) => {
    const asked = name ?? req.path.replace(/^\/console\//, "");
    if (!(await send(asked, Boolean(req.acceptsEncodings("gzip")), res))) next();
  };

export function pages(app: Express): void {
  app.get("/scan/sw.js", file("scan-worker.js"));
  app.get(/^\/scan(\/.*)?$/, page("scan.html", scanHeaders));
  app.get(/^\/console\/(assets\/.*|[\w-]+\.(png|svg|webmanifest))$/, file());
  app.get(/^\/console(\/(?!assets\/).*)?$/, page("desk.html"));
}
