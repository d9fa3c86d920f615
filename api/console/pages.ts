import type { Express, RequestHandler } from "express";
import { builtFiles } from "../http/built-files.js";

/** The pages of `console/` as built: the desk, the scanner, that of partners, and their files. */
const send = builtFiles(new URL("../../console/", import.meta.url));

/** Names in `assets/` change with the content, so they may be cached for ever. */
const cachingOf = (name: string) => (name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");

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

/** The page at a path and at all paths below it, which the page itself resolves. */
const page =
  (name: string, headers?: Map<string, string>): RequestHandler =>
  async (req, res, next) => {
    if (headers) res.setHeaders(headers);
    if (!(await send(name, req, res, cachingOf(name)))) next();
  };

const file =
  (name?: string): RequestHandler =>
  async (req, res, next) => {
    const asked = name ?? req.path.replace(/^\/console\//, "");
    if (!(await send(asked, req, res, cachingOf(asked)))) next();
  };

export function pages(app: Express): void {
  app.get("/scan/sw.js", file("scan-worker.js"));
  app.get(/^\/scan(\/.*)?$/, page("scan.html", scanHeaders));
  app.get(/^\/partner(\/.*)?$/, page("partner.html"));
  app.get(/^\/console\/(assets\/.*|[\w-]+\.(png|svg|webmanifest))$/, file());
  app.get(/^\/console(\/(?!assets\/).*)?$/, page("desk.html"));
}
