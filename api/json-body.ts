import express, { type Request, type RequestHandler } from "express";
import { BodyTooLarge, type DomainError } from "../src/problem.js";

/** Deeper than any body of the interface; what walks a deeper one could run out of stack. */
const DEEPEST = 64;
const tooDeep = (value: unknown, left = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 ||
    Object.values(value).some((entry) => tooDeep(entry, left - 1)));

interface Terms {
  /** In bytes, or as text with its unit. */
  limit: number | string;
  tooLarge: () => DomainError;
  /** What is to be made of a body that cannot be read. */
  unreadable: (req: Request) => DomainError | undefined;
}

/** Reads a JSON body on these terms, also one that does not say its length. */
export function bodyReader({
  limit,
  tooLarge,
  unreadable,
}: Terms): RequestHandler {
  const parseJson = express.json({
    type: [
      "application/json",
      "application/csp-report",
      "application/reports+json",
    ],
    limit,
    strict: false,
  });
  return (req, res, next) =>
    parseJson(req, res, (error?: { type?: string }) => {
      if (
        error?.type === "entity.parse.failed" ||
        (!error && tooDeep(req.body))
      ) {
        next(unreadable(req));
      } else if (error?.type === "entity.too.large") {
        next(tooLarge());
      } else {
        next(error);
      }
    });
}

/** Reads a JSON body of at most 10 MB; one that cannot be read counts as `{}` (reference 01 §1). */
export const jsonBody = bodyReader({
  limit: "10mb",
  tooLarge: BodyTooLarge,
  unreadable: (req) => {
    req.body = {};
    return undefined;
  },
});
