import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Config } from "../src/config.js";
import { NotFound, UnsupportedMediaType } from "../src/problem.js";
import type { Token } from "../src/tokens/token.js";
import {
  actorOf,
  authenticate,
  nobody,
  permit,
  requestIdOf,
} from "./authenticate.js";
import { commandOf, underKey } from "./idempotency.js";
import { type InboundDoor, inboundRefusal } from "./inbound-door.js";
import type { Limit } from "./limit.js";
import type { OutboundDoor } from "./outbound-door.js";
import { JsonText, type Route, takesToken } from "./route.js";
import { tokenActor } from "./token-door.js";
import { refuseNul, validate } from "./validation.js";

/** What the routes need of the configuration. */
export interface AppOptions
  extends Pick<
    Config<"api">,
    | "jwtSecret"
    | "encryptionKey"
    | "tokenPepper"
    | "corsOrigins"
    | "trustProxy"
    | "rateLimitPerMinute"
    | "inboundRateLimitPerMinute"
    | "inboundMaxBodyKb"
    | "pollRateLimitPerMinute"
    | "snapshotRateLimitPerMinute"
    | "allowHttpWebhooks"
    | "allowInternalWebhooks"
    | "dispatcherMaxPendingHardCap"
    | "dispatcherMaxDlqHardCap"
    | "dispatcherReplayBatchHardCap"
    | "dispatcherReplayBatchGlobalBudget"
    | "dispatcherReplayBatchGlobalWindowS"
  > {
  /** Sees what each route answers or throws; tests hold it against what the route declares. */
  inspect?: (
    route: Route,
    outcome: { answer: unknown; status: number } | { error: unknown },
  ) => void;
}

/** What all routes share on the way in: one for users, one for tokens either way. */
export interface Gates {
  limit: Limit;
  /** What a route's `perMinute` stands for. */
  limitTo: (perMinute: number) => Limit;
  inbound: InboundDoor;
  outbound: OutboundDoor;
}

/** A request's way through a route: who, may they, is it sound, do it, answer. */
export function handle(
  route: Route,
  options: AppOptions,
  gates: Gates,
): RequestHandler {
  const status = Math.max(...Object.keys(route.answers).map(Number));
  const isInbound = route.for.kind === "inbound";
  const ownLimit = route.perMinute && gates.limitTo(route.perMinute);
  const bodySchema = takesToken(route) ? route.body : tolerant(route.body);
  const answerTo = async (req: Request, res: Response): Promise<unknown> => {
    const requestId = requestIdOf(req);
    res.locals.requestId = requestId;
    res.setHeader("X-Request-ID", requestId);
    let by = nobody(requestId);
    let token: Token | undefined;
    if (route.for.kind === "inbound") {
      token = await gates.inbound(req, res, route.for.resource);
      by = tokenActor(token, requestId);
    } else if (route.for.kind === "outbound") {
      token = await gates.outbound(req, res, route.for.slug);
      by = tokenActor(token, requestId);
    } else if (route.for.kind !== "open") {
      const user = await authenticate(req, options.jwtSecret);
      res.locals.session = user;
      await gates.limit(user.user_id);
      permit(route, user, req);
      if (ownLimit) await ownLimit(user.user_id);
      const command = commandOf(route, req, user.user_id, options.jwtSecret);
      by = actorOf(user, requestId, command);
    }
    return underKey(by, res, () =>
      route.run({
        params: pathParams(route, req.params),
        query: route.query && queryOf(route.query, req.query),
        body: bodySchema && validate(bodySchema, jsonOf(req, route.judgesNul)),
        by,
        token: token as Token,
        req,
        res,
        options,
      }),
    );
  };
  return async (req, res) => {
    res.statusCode = status;
    const answer = await answerTo(req, res).catch((thrown: unknown) => {
      const error = isInbound ? inboundRefusal(thrown) : thrown;
      options.inspect?.(route, { error });
      throw error;
    });
    options.inspect?.(route, {
      answer: answer instanceof JsonText ? JSON.parse(answer.text) : answer,
      status: res.statusCode,
    });
    if (res.headersSent) return;
    if (answer === undefined) return void res.end();
    // As res.json would, without finding out for each answer what it is.
    const text =
      answer instanceof JsonText ? answer.text : JSON.stringify(answer);
    const { mediaType = "application/json" } = route;
    res.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
    res.setHeader("Content-Length", Buffer.byteLength(text));
    res.end(text);
  };
}

/** The JSON body; what is empty or cannot be read counts as `{}`, so its missing fields are named (reference 01 §1). */
function jsonOf(req: Request, judgesNul = false): unknown {
  const type = (req.get("content-type") ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  if (type !== "application/json") {
    throw UnsupportedMediaType(
      {},
      { message: "Content-Type must be application/json" },
    );
  }
  const body: unknown = req.body ?? {};
  if (!judgesNul) refuseNul(body);
  return body;
}

/** Every body may name a `warehouse_id`, also where the route does not use it, and then does not get it (reference 01 §1). */
function tolerant(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || "warehouse_id" in schema.shape)
    return schema;
  return schema
    .extend({ warehouse_id: z.unknown().optional() })
    .transform(({ warehouse_id, ...body }) => body);
}

/** A path that does not fit, such as a word where an id belongs, is a path that does not exist. */
function pathParams(route: Route, params: unknown): unknown {
  if (!route.params) return undefined;
  refuseNul(params);
  const result = route.params.safeParse(params);
  if (!result.success) throw NotFound();
  return result.data;
}

function queryOf(schema: z.ZodType, query: unknown): unknown {
  refuseNul(query);
  return validate(schema, query);
}
