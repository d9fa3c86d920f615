import {
  CsrfInvalid,
  PasswordChangeRequired,
  PermissionDenied,
  TokenExpired,
  TokenInvalidated,
  TooManyRequests,
  Unauthorized,
  WarehouseInvalid,
  WarehouseMismatch,
} from "../src/auth/problems.js";
import {
  BodyTooLarge,
  ConstraintViolation,
  DatabaseUnavailable,
  Forbidden,
  KeyReuse,
  NotFound,
  type Problem,
  QuantityOutOfRange,
  UnsupportedMediaType,
  WarehouseDenied,
} from "../src/problem.js";
import { takesKey } from "./idempotency.js";
import { ref, validationExample } from "./openapi-components.js";
import type { Route } from "./route.js";

type Examples = Record<string, { summary: string; value: object }>;

/** The problems of the frame around the route and its own, which may have the same kind and then say more, by status. */
export function refusals(route: Route) {
  const byStatus: Record<number, Examples> = {};
  for (const { kind, status, message } of [
    ...frameProblems(route),
    ...route.errors,
  ]) {
    byStatus[status] = {
      ...byStatus[status],
      [kind]: { summary: message, value: { error: message } },
    };
  }
  if (route.params || route.query || route.body || takesKey(route)) {
    byStatus[400] = {
      ...byStatus[400],
      validation_error: {
        summary: "What is wrong, field by field",
        value: validationExample,
      },
    };
  }
  const responses = Object.entries(byStatus).map(([status, examples]) => [
    status,
    response(examples),
  ]);
  return Object.fromEntries(responses);
}

function response(examples: Examples) {
  const error = ref("schemas", "Error");
  const schema = examples.validation_error
    ? { anyOf: [error, ref("schemas", "ValidationError")] }
    : error;
  const kinds = Object.entries(examples).map(
    ([kind, { summary }]) => `- \`${kind}\`: ${summary}`,
  );
  return {
    description: kinds.join("\n"),
    content: { "application/json": { schema, examples } },
  };
}

/** What the frame may answer before or around the route (api/app.ts). */
function frameProblems(route: Route): Problem[] {
  const open = route.for.kind === "open";
  const problems: Problem[] = [];
  if (route.params) problems.push(NotFound);
  if (route.body) problems.push(BodyTooLarge, UnsupportedMediaType);
  if (!open || route.body) problems.push(DatabaseUnavailable);
  if (open) return problems;
  problems.push(
    Unauthorized,
    TokenExpired,
    TokenInvalidated,
    PasswordChangeRequired,
    TooManyRequests,
  );
  problems.push(WarehouseMismatch, WarehouseInvalid, WarehouseDenied);
  if (route.method !== "get") problems.push(CsrfInvalid);
  if (takesKey(route)) problems.push(KeyReuse);
  if (route.body) problems.push(QuantityOutOfRange);
  if (route.body && route.for.kind === "page")
    problems.push(ConstraintViolation);
  if (route.for.kind === "admin") problems.push(Forbidden);
  if (route.for.kind === "page") problems.push(PermissionDenied);
  return problems;
}
