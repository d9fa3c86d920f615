import express, { type RequestHandler } from "express";
import { BodyTooLarge } from "../src/problem.js";

/** Deeper than any body of the interface; what walks a deeper one could run out of stack. */
const DEEPEST = 64;
const tooDeep = (value: unknown, left = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 ||
    Object.values(value).some((entry) => tooDeep(entry, left - 1)));

const parseJson = express.json({
  type: [
    "application/json",
    "application/csp-report",
    "application/reports+json",
  ],
  limit: "10mb",
  strict: false,
});
/** Reads a JSON body of at most 10 MB; one that cannot be read counts as `{}` (reference 01 §1). */
export const jsonBody: RequestHandler = (req, res, next) =>
  parseJson(req, res, (error?: { type?: string }) => {
    if (
      error?.type === "entity.parse.failed" ||
      (!error && tooDeep(req.body))
    ) {
      req.body = {};
      next();
    } else if (error?.type === "entity.too.large") {
      next(BodyTooLarge());
    } else {
      next(error);
    }
  });
