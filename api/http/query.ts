import type { Request } from "express";
import { z } from "zod";
import type { Route } from "./route.js";
import { refuseNul, validate } from "./validation.js";

/**
 * What clients of this interface add to requests, although the route does without it: the warehouse that they work in
 * (which is checked all the same, docs/interface.md, Signing in), the paging of lists that come whole, and what keeps
 * caches away.
 */
export const withoutEffect = ["warehouse_id", "page", "per_page", "limit", "_", "_t", "t", "v"];

/**
 * What reads the query of a route. A parameter that it does not know is refused; only open routes pass over them. A
 * query that is declared as a `strictObject` takes not even what others pass over.
 */
export function queryReader({ query = z.object({}), for: permission, path }: Route): (req: Request) => unknown {
  if (!(query instanceof z.ZodObject)) throw new Error(`the query of ${path} must be an object`);
  const schema = permission.kind === "open" ? query : query.strict();
  const isStrict = query.def.catchall instanceof z.ZodNever;
  const ignored = isStrict ? [] : withoutEffect.filter((name) => !(name in query.shape));
  const withoutQuery = schema.safeParse({}).success;
  return (req) => {
    if (withoutQuery && !req.url.includes("?")) return schema.parse({});
    const sent = { ...req.query };
    for (const name of ignored) delete sent[name];
    refuseNul(sent);
    return validate(schema, sent);
  };
}
