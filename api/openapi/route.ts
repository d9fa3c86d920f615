import { z } from "zod";
import * as field from "../../src/platform/fields/index.js";
import { AnyText } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { open, route } from "../http/route.js";
import { openApi } from "./document.js";
import type { NamedRoute } from "./tags.js";

/**
 * The route that serves the OpenAPI document of all routes. They are passed as a function, because this route is one of
 * them.
 */
export function openApiRoute(routes: () => NamedRoute[]) {
  /** It is large, and anybody may request it: built once. */
  let document: JsonText | undefined;
  return route("get /api/openapi.json", {
    for: open,
    summary: "This interface, as an OpenAPI 3.1 document",
    answers: {
      200: z.looseObject({
        openapi: z.literal("3.1.1").describe("Which version of OpenAPI the document follows."),
        info: z
          .looseObject({ title: AnyText("ship.confirmed").describe("Name of the interface."), version: field.Version })
          .describe("Title, version and licence of the interface."),
        paths: z.record(z.string(), z.unknown()).describe("The operations, by path and method."),
      }),
    },
    run: async () => {
      document ??= new JsonText(JSON.stringify(openApi(routes())));
      return document;
    },
  });
}
