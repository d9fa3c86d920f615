import express, { type Request, type Response } from "express";
import { TooManyRequests } from "../../src/auth/problems.js";
import { DispatchBodyTooLarge, DispatchRateLimited } from "../../src/auth/tokens/dispatch-problems.js";
import { InboundBodyTooLarge, OutboundRateLimited, RateLimited } from "../../src/auth/tokens/problems.js";
import {
  BodyTooLarge,
  DomainError,
  type Problem,
  UnsupportedMediaType,
  validationError,
} from "../../src/platform/problem.js";
import type { BodyAccount } from "./body-budget.js";
import { checkJsonLimits } from "./json-limits.js";
import { bodyLimitOf, type ConfiguredBodyLimits, type Route } from "./route.js";

/** Reads the JSON body of a request into `req.body`, also one without Content-Length, or throws. */
export type BodyReader = (req: Request, res: Response) => Promise<void>;

const NotJson = () => UnsupportedMediaType({}, { message: "Content-Type must be application/json" });

/** The reader of a route's bodies. That of a GET is ignored, and one that is signed is read by the route itself. */
export function bodyReader(route: Route, configured: ConfiguredBodyLimits): BodyReader | undefined {
  if (route.method === "get" || route.signedBody) return undefined;
  const { kb, values } = bodyLimitOf(route, configured);
  const tooLarge = () => {
    const limit = { max_body_kb: kb };
    if (route.for.kind === "inbound") return InboundBodyTooLarge(limit, limit);
    return route.for.kind === "dispatch" ? DispatchBodyTooLarge(limit, limit) : BodyTooLarge();
  };
  const parseJson = express.json({
    type: ["application/json", "application/csp-report", "application/reports+json"],
    limit: kb * 1024,
    strict: false,
    verify: (_req, _res, body, charset) => {
      // The parser wraps errors that are thrown here, but keeps their cause.
      const refuse = (cause: DomainError) => new Error("refused", { cause });
      if (charset !== "utf-8") throw refuse(NotJson());
      try {
        checkJsonLimits(body, values);
      } catch (error) {
        throw refuse(error as DomainError);
      }
    },
  });
  const tooMany = tooManyOf(route);
  return async (req, res) => {
    // Where no body is expected, its content type does not matter.
    if (route.body && !isJson(req)) throw NotJson();
    await new Promise<void>((read, refuse) => {
      count(req, res, kb, () => refuse(tooMany()));
      parseJson(req, res, (error?: ParserError) => (error ? refuse(refusalOf(error, tooLarge)) : read()));
    });
  };
}

/** Reads a body of any content type as it came, or throws. A request without a body has no bytes. */
export async function readBytes(req: Request, res: Response, kb: number): Promise<Buffer> {
  const read = express.raw({ type: () => true, limit: kb * 1024 });
  await new Promise<void>((done, refuse) => {
    count(req, res, kb, () => refuse(TooManyRequests().after(RETRY_AFTER_S)));
    read(req, res, (error?: ParserError) => (error ? refuse(refusalOf(error, BodyTooLarge)) : done()));
  });
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** After how many seconds there may be room again for a body that was refused for lack of it. */
const RETRY_AFTER_S = 5;

/** The refusal of a body for which there is no room at the moment, in the shape of the route. */
function tooManyOf({ for: { kind } }: Route): () => DomainError {
  const message = "Too many bodies are being received, try again in a moment";
  const refusals: Partial<Record<string, Problem>> = {
    inbound: RateLimited,
    outbound: OutboundRateLimited,
    dispatch: DispatchRateLimited,
  };
  const refusal = refusals[kind];
  return () => (refusal ? refusal({}, { message }) : TooManyRequests()).after(RETRY_AFTER_S);
}

/**
 * Counts the received bytes of a body as the caller's, until the answer is sent, and stops receiving where there is no
 * room. A compressed body counts as the largest that it may become.
 */
function count(req: Request, res: Response, kb: number, refuse: () => void): void {
  const account: BodyAccount = res.locals.bodies;
  let held = 0;
  const take = (bytes: number) => {
    held += bytes;
    if (account.take(bytes)) return;
    req.unpipe();
    req.removeAllListeners("data");
    req.pause();
    res.setHeader("Connection", "close");
    refuse();
  };
  res.once("close", () => account.give(held));
  if (req.headers["content-encoding"]) take(kb * 1024);
  else req.on("data", (chunk: Buffer) => take(chunk.length));
}

const isJson = (req: Request): boolean =>
  req.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";

/** An error of body-parser. */
interface ParserError extends Error {
  status?: number;
  type?: string;
}

function refusalOf(error: ParserError, tooLarge: () => DomainError): Error {
  if (error.cause instanceof DomainError) return error.cause;
  if (error.type === "entity.too.large") return tooLarge();
  if (error.status === 415) return NotJson();
  // The client disconnected, or the service failed.
  if (error.type === "request.aborted" || Number(error.status) >= 500) return error;
  return validationError([{ type: "json_invalid", loc: [], msg: "body is not JSON" }]);
}
