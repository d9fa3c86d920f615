import { z } from "zod";
import * as field from "../../src/platform/fields/index.js";
import { AnyText } from "../../src/platform/fields.js";
import { JsonText } from "../../src/platform/json-text.js";
import { open, route } from "../http/route.js";
import { asyncApi } from "./asyncapi.js";
import { openApi } from "./document.js";
import type { NamedRoute } from "./tags.js";

const Info = z
  .looseObject({ title: AnyText("ship.confirmed").describe("Name of the interface."), version: field.Version })
  .meta({ id: "DocumentInfo", description: "Title, version and licence of the interface." });

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
        info: Info,
        paths: z.record(z.string(), z.unknown()).describe("The operations, by path and method."),
      }),
    },
    run: async () => {
      document ??= new JsonText(JSON.stringify(openApi(routes())));
      return document;
    },
  });
}

/** Built once, like the other document. */
let events: JsonText | undefined;

export const getAsyncApiDocument = route("get /api/asyncapi.json", {
  for: open,
  summary: "All events, as they are delivered by webhooks and polled: an AsyncAPI 3.0 document",
  answers: {
    200: z.looseObject({
      asyncapi: z.literal("3.0.0").describe("Which version of AsyncAPI the document follows."),
      info: Info,
      channels: z.record(z.string(), z.unknown()).describe("Where events come from: webhooks, and the stream."),
      operations: z.record(z.string(), z.unknown()).describe("What the service does there."),
    }),
  },
  run: async () => {
    events ??= new JsonText(JSON.stringify(asyncApi()));
    return events;
  },
});
