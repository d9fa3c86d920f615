import type { Request } from "express";
import { z } from "zod";
import type { Route } from "./route.js";
import { refuseNul, validate } from "./validation.js";

/**
 * Parameters that clients of this interface add to requests whose route does not know them: the warehouse that they
 * work in (which is checked all the same, docs/interface.md, Signing in), the paging of unpaged lists, and cache
 * busters.
 */
export const withoutEffect = ["warehouse_id", "page", "per_page", "limit", "_", "_t", "t", "v"];

/**
 * The reader of a route's query. An unknown parameter is refused; only open routes ignore them. A query that is
 * declared as a `strictObject` refuses even the parameters that others ignore.
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
