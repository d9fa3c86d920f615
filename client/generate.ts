import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openApi } from "../api/openapi/document.js";
import { routes } from "../api/routes.js";
import { pythonModules } from "./python-routes.js";
import { routeTypes } from "./route-types.js";

/** Writes what both clients have of the routes, as part of the build. A file that is the same keeps its time. */
const document = JSON.parse(JSON.stringify(openApi(routes)));
const python = pythonModules(document);
const files = {
  "generated/routes.ts": routeTypes(document),
  "python/warehouse_client/routes.py": python.routes,
  "python/warehouse_client/types.py": python.types,
  "python/warehouse_client/webhooks.py": readFileSync(
    new URL("../../examples/verify_webhook.py", import.meta.url),
    "utf8",
  ),
};
mkdirSync(new URL("../../client/generated/", import.meta.url), { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../../client/${name}`, import.meta.url);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}
