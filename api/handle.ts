import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { DispatchRateLimited } from "../src/auth/tokens/dispatch-problems.js";
import type { Token } from "../src/auth/tokens/token.js";
import { JsonText } from "../src/platform/json-text.js";
import type { Arrangement } from "../src/platform/list.js";
import { NotFound } from "../src/platform/problem.js";
import {
  actorOf,
  authenticate,
  authorize,
  checkNamedWarehouse,
  factorShownAt,
  requestIdOf,
} from "./auth/authenticate.js";
import { checkStepUp } from "./auth/check-step-up.js";
import { type AuthenticateDispatch, dispatchRefusal } from "./auth/dispatch-authentication.js";
import { tokenActor } from "./auth/token-authentication.js";
import { type AddressLimit, addressOf } from "./http/address-limit.js";
import type { BodyAccount } from "./http/body-budget.js";
import { FileAnswer } from "./http/file-answer.js";
import { commandOf, underKey } from "./http/idempotency.js";
import { insideCallOf } from "./http/inside.js";
import { bodyReader } from "./http/json-body.js";
import type { Limit } from "./http/limit.js";
import { answerList, listOf } from "./http/lists.js";
import type { AppOptions } from "./http/options.js";
import { queryReader } from "./http/query.js";
import { type Caller, type Permission, type Route, takesToken } from "./http/route.js";
import { sharedLimit } from "./http/shared-limit.js";
import { StreamedFile } from "./http/streamed-file.js";
import { refuseNul, validate } from "./http/validation.js";
import { type AuthenticateInbound, inboundRefusal } from "./inbound/authentication.js";
import type { AuthenticateOutbound } from "./outbound/authentication.js";
import { type AuthenticatePartner, partnerActor } from "./partners/authentication.js";

/** Authentication and rate limits, common to all routes. */
export interface RequestGuards {
  addresses: AddressLimit;
  limit: Limit;
  /** The limit for a route's `perMinute`. */
  limitTo: (perMinute: number) => Limit;
  inbound: AuthenticateInbound;
  outbound: AuthenticateOutbound;
  dispatch: AuthenticateDispatch;
  partner: AuthenticatePartner;
  /** The bytes of bodies that a caller may send at the same time. */
  bodies: (caller: string) => BodyAccount;
}

/** Receives what each route answers or throws; tests compare it with what the route declares. */
export type Inspect = (
  route: Route,
  outcome: { answer: unknown; status: number } | { sent: number } | { error: unknown },
) => void;

/** Texts longer than this are sent as bytes: Node would copy a text once more, to put it behind the headers. */
const LONG = 65_536;

/**
 * The request handler of a route: authenticates, authorises, reads and validates the request, runs the route, answers.
 * No body is read before its sender is known.
 */
export function handle(route: Route, options: AppOptions, guards: RequestGuards, inspect?: Inspect): RequestHandler {
  const status = Math.max(
    ...Object.keys(route.answers)
      .map(Number)
      .filter((one) => one < 400),
  );
  const isInbound = route.for.kind === "inbound";
  const answerTo = requestRunner(route, options, guards);
  return async (req, res) => {
    res.statusCode = status;
    const answer = await answerTo(req, res).catch((thrown: unknown) => {
      const error = isInbound ? inboundRefusal(thrown) : dispatchRefusal(thrown, req);
      inspect?.(route, { error });
      throw error;
    });
    if (insideCallOf(req)?.onlyChecks) return void res.end();
    // A list as a file, a redirect, a stream.
    if (res.headersSent && answer === undefined) return void inspect?.(route, { sent: res.statusCode });
    inspect?.(route, {
      answer: answer instanceof JsonText ? answer.parsed() : answer,
      status: res.statusCode,
    });
    if (res.headersSent) return;
    if (answer === undefined) return void res.end();
    if (answer instanceof FileAnswer || answer instanceof StreamedFile) return answer.send(res);
    // Like res.json, but faster: that one would determine the content type for every answer.
    const { text, encoding } = answer instanceof JsonText ? answer : new JsonText(JSON.stringify(answer));
    const body = text.length >= LONG && encoding === "utf8" ? Buffer.from(text) : text;
    const { mediaType = "application/json" } = route;
    res.setHeader("Content-Type", `${mediaType}; charset=utf-8`);
    res.setHeader("Content-Length", Buffer.byteLength(body, encoding));
    res.end(body, encoding);
  };
}

/** A function that runs the route for a request: authentication, limits, body, validation. */
function requestRunner(route: Route, options: AppOptions, guards: RequestGuards) {
  const { countFailure } = guards.addresses;
  const permission = route.for;
  const how = { trusted: route.calledFrom?.(options), checkAddress: guards.addresses.check };
  const ownLimit = route.perMinute && guards.limitTo(route.perMinute);
  const tokenLimit = tokenLimitOf(route, options);
  const readQuery = queryReader(route);
  const readBody = bodyReader(route, options);
  const bodySchema = takesToken(route) ? route.body : withOptionalWarehouse(route.body);

  const list = listOf(route);

  const readBodyOf = async (caller: string, req: Request, res: Response) => {
    if (!readBody) return;
    res.locals.bodies = guards.bodies(caller);
    await readBody(req, res);
  };

  const run = async (caller: Caller<Permission>, req: Request, res: Response) => {
    // The spread stands last: V8 takes half a microsecond for each property after one.
    const call = {
      params: pathParams(route, req.params),
      query: readQuery(req),
      body: bodySchema && validate(bodySchema, jsonOf(req, route.checksNul)),
      req,
      res,
      options,
      ...caller,
    };
    if (insideCallOf(req)?.onlyChecks) return undefined;
    if (typeof route.stepUp === "function") await checkStepUp(route, call);
    const answer = await route.run(call);
    return list ? answerList(list, answer, call.query as Arrangement, req, res) : answer;
  };

  const runForToken = async (token: Token, requestId: string, req: Request, res: Response) => {
    await readBodyOf(`token ${token.token_id}`, req, res);
    return run({ token, by: tokenActor(token, requestId) }, req, res);
  };

  const runForUser = async (requestId: string, req: Request, res: Response) => {
    const inside = insideCallOf(req);
    const user = inside?.user ?? (await countFailure(req, () => authenticate(req, res, options, how)));
    res.locals.session = user;
    res.locals.username = user.username;
    await guards.limit(user.user_id);
    // Whoever let an agent in has shown it here.
    authorize(route, user, req, inside && user.has_factor ? 0 : factorShownAt(user, res));
    if (ownLimit) await ownLimit(user.user_id);
    if (route.stepUp === true) await checkStepUp(route, { req, res, options });
    await readBodyOf(`user ${user.user_id}`, req, res);
    if (req.body !== undefined) checkNamedWarehouse(req, user);
    const by = actorOf(user, requestId, commandOf(route, req, user.user_id, options.jwtSecret));
    if (inside) by.through = inside.through;
    if (inside?.keepsKey && by.keyed) by.keyed.validUntil = "infinity";
    return underKey(by, res, () => run({ by }, req, res));
  };

  const runForPartner = async (requestId: string, req: Request, res: Response) => {
    const link = await countFailure(req, () => guards.partner(req, res));
    const caller = `partner ${link.partner_link_id}`;
    await guards.limit(caller);
    if (ownLimit) await ownLimit(caller);
    await readBodyOf(caller, req, res);
    const by = partnerActor(link, requestId, commandOf(route, req, caller, options.jwtSecret));
    return underKey(by, res, () => run({ link, by }, req, res));
  };

  const runForSender = (req: Request, res: Response) =>
    countFailure(req, async () => {
      guards.addresses.checkSender(req);
      res.locals.bodies = guards.bodies(addressOf(req));
      const answer = await run({}, req, res);
      if (res.locals.isSigned) guards.addresses.noteSigned(req);
      if (res.locals.isPing) await guards.addresses.count(req);
      return answer;
    });

  return async (req: Request, res: Response): Promise<unknown> => {
    const requestId = requestIdOf(req);
    res.locals.requestId = requestId;
    res.setHeader("X-Request-ID", requestId);
    switch (permission.kind) {
      case "open":
        if (route.signedBody) return runForSender(req, res);
        if (!route.unlimited) await guards.addresses.count(req);
        await readBodyOf(addressOf(req), req, res);
        return run({}, req, res);
      case "inbound": {
        const token = await countFailure(req, () => guards.inbound(req, res, permission.resource));
        return runForToken(token, requestId, req, res);
      }
      case "outbound": {
        const token = await countFailure(req, () => guards.outbound(req, res, permission.slug));
        return runForToken(token, requestId, req, res);
      }
      case "dispatch": {
        const token = await countFailure(req, () => guards.dispatch(req, res, permission.slug));
        const countRequest = () => tokenLimit.take(String(token.token_id));
        if (!route.repeatsAreFree) await countRequest();
        await readBodyOf(`token ${token.token_id}`, req, res);
        return run({ token, by: tokenActor(token, requestId), countRequest }, req, res);
      }
      case "partner":
        return runForPartner(requestId, req, res);
      default:
        return runForUser(requestId, req, res);
    }
  };
}

/** The limit of each token on a route of stations and tills; off where there are no rate limits of users. */
function tokenLimitOf({ for: permission, method, path, perMinute = 0 }: Route, { rateLimitPerMinute }: AppOptions) {
  const limit = permission.kind === "dispatch" && rateLimitPerMinute > 0 ? perMinute : 0;
  return sharedLimit(`${method} ${path}`, limit, DispatchRateLimited);
}

/** The JSON body; none counts as `{}`, so its missing fields are named (docs/interface.md, Answers and errors). */
function jsonOf(req: Request, checksNul = false): unknown {
  const body: unknown = req.body ?? {};
  if (!checksNul) refuseNul(body);
  return body;
}

/**
 * Clients may send a `warehouse_id` in every body (docs/interface.md, Answers and errors); it is removed where the
 * route has none.
 */
function withOptionalWarehouse(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || "warehouse_id" in schema.shape) return schema;
  return schema.extend({ warehouse_id: z.unknown().optional() }).transform(({ warehouse_id, ...body }) => body);
}

/** The parameters of the path; an invalid one, such as text for an id, is a path that does not exist. */
function pathParams(route: Route, params: unknown): unknown {
  if (!route.params) return undefined;
  refuseNul(params);
  const result = route.params.safeParse(params);
  if (!result.success) throw NotFound();
  return result.data;
}
