import type { Express } from "express";
import swaggerUi from "swagger-ui-dist/absolute-path.js";
import { CSRF_COOKIE } from "../auth/authenticate.js";
import { builtFiles } from "../http/built-files.js";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Warehouse Execution Service: API reference</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The answer to a person who opens the service's address in a browser. */
const home = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Warehouse Execution Service</title>
  </head>
  <body>
    <h1>Warehouse Execution Service</h1>
    <p>At the desk: the <a href="/console/">console</a>. On the floor: the <a href="/scan/">scanner</a>.</p>
    <p>The API is described in its <a href="/docs">reference</a>, and as <a href="/api/openapi.json">OpenAPI</a>.</p>
    <p>How to use, connect and run it: the <a href="/docs/index.html">documentation</a>.</p>
  </body>
</html>
`;

// After a login on the page its cookies are the credential; a change then also needs the CSRF header.
const start = `SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const csrf = /${CSRF_COOKIE}=([^;]+)/.exec(document.cookie)?.[1];
    if (csrf) request.headers["X-CSRF-Token"] = csrf;
    return request;
  },
});
`;

/**
 * The API reference: Swagger UI over /api/openapi.json. Everything comes from this server, and the page has no inline
 * script, so it works under the service's own Content-Security-Policy and without a network.
 */
export function docs(app: Express): void {
  app.get("/", (_req, res) => void res.type("html").send(home));
  app.get("/docs", (_req, res) => void res.type("html").send(page));
  app.get("/docs/start.js", (_req, res) => void res.type("js").send(start));
  for (const asset of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]) {
    app.get(`/docs/${asset}`, (_req, res) => res.sendFile(asset, { root: swaggerUi() }));
  }
}

/** The documentation as `site/` builds it. */
const site = builtFiles(new URL("../../docs/", import.meta.url));
/** Stricter than the policy of the service: the pages have no style or script in them, and load from here alone. */
const sitePolicy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';frame-ancestors 'none';" +
  "base-uri 'none';form-action 'self';report-uri /api/csp-report";

/**
 * The documentation under the reference: `/docs/index.html`, each page also as Markdown (`/docs/webhooks.md`), and
 * `/llms.txt` for programs. `/docs/` itself is the reference, as it has been.
 */
export function documentation(app: Express): void {
  app.get("/llms.txt", (_req, res) => void res.redirect("/docs/llms.txt"));
  app.get(/^\/docs\/(.+)$/, async (req, res, next) => {
    const name = req.params[0] ?? "";
    res.setHeader("Content-Security-Policy", sitePolicy);
    if (!(await site(name, req, res, "public, max-age=300"))) next();
  });
}
