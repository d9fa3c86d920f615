import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openApi } from "../api/openapi/document.js";
import { routes } from "../api/routes.js";
import { routeTypes } from "./route-types.js";

/** Writes the types of all routes, as part of the build. A file that is the same stays as it is, with its time. */
const folder = new URL("../../client/generated/", import.meta.url);
const file = new URL("routes.ts", folder);
const text = routeTypes(JSON.parse(JSON.stringify(openApi(routes))));
mkdirSync(folder, { recursive: true });
if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
