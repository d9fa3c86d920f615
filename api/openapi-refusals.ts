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
import {
  CrossDirection,
  EndpointNotAllowed,
  InboundBodyTooLarge,
  InvalidToken,
  OutboundCrossDirection,
  OutboundRateLimited,
  RateLimited,
  ResourceNotAllowed,
} from "../src/tokens/problems.js";
import { takesKey } from "./idempotency.js";
import {
  inboundValidationExample,
  ref,
  validationExample,
} from "./openapi-components.js";
import type { Route } from "./route.js";

type Examples = Record<string, { summary: string; value: object }>;

/** The problems of the frame around the route and its own, which may have the same kind and then say more, by status. */
export function refusals(route: Route) {
  const inbound = route.for.kind === "inbound";
  const byStatus: Record<number, Examples> = {};
  const add = (status: number, kind: string, example: Examples[string]) => {
    byStatus[status] = { ...byStatus[status], [kind]: example };
  };
  for (const problem of [...frameProblems(route), ...route.errors])
    add(problem.status, problem.kind, {
      summary: problem.message,
      value: bodyOf(problem),
    });
  if (route.params || route.query || route.body || takesKey(route))
    add(inbound ? 422 : 400, "validation_error", {
      summary: "What is wrong, field by field",
      value: inbound ? inboundValidationExample : validationExample,
    });
  const responses = Object.entries(byStatus).map(([status, examples]) => [
    status,
    response(examples),
  ]);
  return Object.fromEntries(responses);
}

/** What a problem answers, with the names of its values in their places. */
function bodyOf(problem: Problem): object {
  const names = [...problem.message.matchAll(/\{(\w+)\}/g)];
  const named = names.map(([place, name]) => [name, place]);
  return problem(Object.fromEntries(named)).body;
}

function response(examples: Examples) {
  const values = Object.values(examples).map(({ value }) => value);
  const schemas = [...new Set(values.map(schemaOf))].map((name) =>
    ref("schemas", name),
  );
  const kinds = Object.entries(examples).map(
    ([kind, { summary }]) => `- \`${kind}\`: ${summary}`,
  );
  return {
    description: kinds.join("\n"),
    content: {
      "application/json": {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples,
      },
    },
  };
}

const schemaOf = (body: object) =>
  `${"error" in body ? "" : "Inbound"}${"details" in body ? "Validation" : ""}Error`;

/** What a token may hear at its door (api/inbound-door.ts, api/outbound-door.ts). */
const inboundDoorProblems = [
  InvalidToken,
  CrossDirection,
  ResourceNotAllowed,
  RateLimited,
  InboundBodyTooLarge,
];
const outboundDoorProblems = [
  InvalidToken,
  OutboundCrossDirection,
  EndpointNotAllowed,
  OutboundRateLimited,
];

/** What the frame may answer before or around the route (api/app.ts). */
function frameProblems(route: Route): Problem[] {
  const open = route.for.kind === "open";
  const problems: Problem[] = [];
  if (route.params) problems.push(NotFound);
  if (route.body) problems.push(UnsupportedMediaType);
  if (!open || route.body) problems.push(DatabaseUnavailable);
  if (route.for.kind === "inbound")
    return [...problems, ...inboundDoorProblems];
  if (route.body) problems.push(BodyTooLarge);
  if (route.for.kind === "outbound")
    return [...problems, ...outboundDoorProblems];
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
