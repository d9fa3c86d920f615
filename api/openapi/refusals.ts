import { MCP_PATH } from "../../src/auth/oauth/audience.js";
import { OnlyForAgents } from "../../src/auth/oauth/problems.js";
import {
  CsrfInvalid,
  EnrolmentRequired,
  FunctionNotAllowed,
  KeyReadsOnly,
  NotWithKey,
  OtherUser,
  PasswordChangeRequired,
  PermissionDenied,
  SecondFactorMissing,
  SessionEnded,
  StepUpRequired,
  TokenExpired,
  TokenInvalidated,
  TooManyRequests,
  Unauthorized,
  WarehouseInvalid,
  WarehouseMismatch,
} from "../../src/auth/problems.js";
import {
  DispatchBodyTooLarge,
  DispatchEndpointNotAllowed,
  DispatchRateLimited,
  PosCrossDirection,
  WrongTokenDirection,
} from "../../src/auth/tokens/dispatch-problems.js";
import {
  CrossDirection,
  EndpointNotAllowed,
  InboundBodyTooLarge,
  InboundWrongDirection,
  InvalidToken,
  OutboundCrossDirection,
  OutboundRateLimited,
  OutboundWrongDirection,
  RateLimited,
  ResourceNotAllowed,
} from "../../src/auth/tokens/problems.js";
import { asDispatchProblem } from "../../src/platform/dispatch-problem.js";
import {
  BodyTooLarge,
  ConstraintViolation,
  DatabaseBusy,
  DatabaseUnavailable,
  Forbidden,
  KeyReuse,
  NotFound,
  type Problem,
  QuantityOutOfRange,
  UnsupportedMediaType,
  WarehouseDenied,
} from "../../src/platform/problem.js";
import { isByPersonOnly } from "../auth/authenticate.js";
import { takesKey } from "../http/idempotency.js";
import { functionNeeded, type Route, takesToken } from "../http/route.js";
import {
  dispatchValidationExamples,
  inboundValidationExample,
  pascalCase,
  ref,
  validationExample,
} from "./components.js";

interface Example {
  value: object;
}
type Examples = Record<string, Example>;

/** Collects what routes refuse: a response, or an example, that several routes have becomes a component. */
export class Refusals {
  readonly examples: Record<string, Example> = {};
  readonly responses: Record<string, object> = {};
  /** The name that a response would have in the components, by its JSON. */
  private readonly names = new Map<string, string>();

  /**
   * The refusals of a route by status: those of the middleware around it and its own, which replace one of their kind.
   */
  of(route: Route): Record<string, object> {
    const frame = frameRefusals(route);
    const all = mergeByStatus(frame, byStatus(route.errors));
    const responses = Object.entries(all).map(([text, examples]) => {
      const status = Number(text);
      const response = this.response(status, examples);
      this.names.set(JSON.stringify(response), sharedName(status, examples, frame[status] ?? {}, route));
      return [status, response];
    });
    return Object.fromEntries(responses);
  }

  moveRepeatedToComponents(operations: { responses: Record<string, object> }[]): void {
    const uses = new Map<string, number>();
    for (const { responses } of operations)
      for (const response of Object.values(responses)) {
        const json = JSON.stringify(response);
        uses.set(json, (uses.get(json) ?? 0) + 1);
      }
    for (const { responses } of operations)
      for (const [status, response] of Object.entries(responses)) {
        const json = JSON.stringify(response);
        const name = this.names.get(json);
        if (name && (uses.get(json) ?? 0) > 1) responses[status] = this.shared(name, response);
      }
  }

  private shared(name: string, response: object): object {
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}${number}`;
      this.responses[numbered] ??= response;
      if (JSON.stringify(this.responses[numbered]) === JSON.stringify(response)) return ref("responses", numbered);
    }
  }

  private response(status: number, examples: Examples): object {
    const schemas = [...new Set(Object.values(examples).map(({ value }) => schemaOf(value)))];
    const known = unions[schemas.toSorted().join()];
    const references = known ? [ref("schemas", known)] : schemas.map((name) => ref("schemas", name));
    const named = Object.entries(examples).map(([kind, example]) => [kind, ref("examples", this.name(kind, example))]);
    return {
      description: `${statusNames[status]?.replace(/(?<=[a-z])(?=[A-Z])/g, " ") ?? "Refused"}: one of the examples.`,
      content: {
        "application/json": {
          schema: references.length === 1 ? references[0] : { anyOf: references },
          examples: Object.fromEntries(named),
        },
      },
    };
  }

  /** The name of the example in the components: its kind, numbered where kinds of one name have different texts. */
  private name(kind: string, example: Example): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? kind : `${kind}_${number}`;
      this.examples[name] ??= example;
      if (JSON.stringify(this.examples[name]) === JSON.stringify(example)) return name;
    }
  }
}

/** The schemas that allow two others. */
const unions: Record<string, string> = {
  "Error,ValidationError": "RequestError",
  "InboundError,InboundValidationError": "InboundRequestError",
};

const statusNames: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
};

/** The kinds that some routes of a status have and others have not, and the name of the response for them. */
const distinctions: Record<string, string> = {
  [KeyReuse.kind]: "KeyReuse",
  [ConstraintViolation.kind]: "Constraint",
  [QuantityOutOfRange.kind]: "Quantity",
  [FunctionNotAllowed.kind]: "Function",
  [PermissionDenied.kind]: "Page",
  [Forbidden.kind]: "Admin",
  [CsrfInvalid.kind]: "Change",
  [WarehouseInvalid.kind]: "Warehouse",
  validation_error: "Validation",
};

/** Such as `ForbiddenPageChange`, or `NotFoundSo` after the first problem that is the route's own. */
function sharedName(status: number, examples: Examples, frame: Examples, route: Route): string {
  const audience = takesToken(route) ? pascalCase(route.for.kind) : "";
  const kinds = Object.entries(distinctions).flatMap(([kind, name]) => (kind in examples ? [name] : []));
  const own = Object.keys(examples).find((kind) => !(kind in frame));
  const refused = statusNames[status] ?? `Refused${status}`;
  return [refused, audience, ...(own ? [pascalCase(own).replace(refused, "")] : kinds)].join("");
}

function byStatus(problems: Problem[]): Record<number, Examples> {
  const entries: Record<number, Examples> = {};
  for (const problem of problems) {
    const example = { value: bodyOf(problem) };
    entries[problem.status] = { ...entries[problem.status], [problem.kind]: example };
  }
  return entries;
}

function frameRefusals(route: Route): Record<number, Examples> {
  const refusals = byStatus(frameProblems(route));
  if (route.for.kind === "open" && !route.params && !route.query && route.method === "get") return refusals;
  if (route.for.kind === "dispatch") {
    const kind = route.method === "get" ? "invalid_query_param" : "invalid_body";
    return mergeByStatus(refusals, { 422: { [kind]: dispatchValidationExamples[kind] } });
  }
  const inbound = route.for.kind === "inbound";
  const value = inbound ? inboundValidationExample : validationExample;
  const validation = { validation_error: { value } };
  return mergeByStatus(refusals, { [inbound ? 422 : 400]: validation });
}

function mergeByStatus(one: Record<number, Examples>, other: Record<number, Examples>): Record<number, Examples> {
  const merged = { ...one };
  for (const [status, examples] of Object.entries(other))
    merged[Number(status)] = { ...merged[Number(status)], ...examples };
  return merged;
}

/** The body of a problem, with the names of its values in their places. */
function bodyOf(problem: Problem): object {
  const names = [...problem.message.matchAll(/\{(\w+)\}/g)];
  const named = names.map(([place, name]) => [name, place]);
  return problem(Object.fromEntries(named)).body;
}

const schemaOf = (body: object) =>
  "error_kind" in body && "message" in body && "details" in body
    ? "DispatchError"
    : `${"error" in body ? "" : "Inbound"}${"details" in body ? "Validation" : ""}Error`;

/**
 * Problems of token authentication (authentication.ts in api/inbound/ and api/outbound/,
 * api/auth/dispatch-authentication.ts).
 */
const inboundAuthenticationProblems = [
  InvalidToken,
  InboundWrongDirection,
  CrossDirection,
  ResourceNotAllowed,
  RateLimited,
  InboundBodyTooLarge,
];
const outboundAuthenticationProblems = [
  ...[InvalidToken, OutboundWrongDirection, OutboundCrossDirection, EndpointNotAllowed, OutboundRateLimited],
];
const dispatchAuthenticationProblems = {
  "station.dispatch": [asDispatchProblem(InvalidToken), WrongTokenDirection],
  "pos.dispatch": [asDispatchProblem(InvalidToken), WrongTokenDirection, PosCrossDirection],
};

/** What middleware may answer before or around the route (api/app.ts). */
function frameProblems(route: Route): Problem[] {
  const open = route.for.kind === "open";
  const readsBody = route.method !== "get";
  const problems: Problem[] = [];
  if (route.params) problems.push(NotFound);
  if (readsBody) problems.push(UnsupportedMediaType);
  if (!route.unlimited) problems.push(DatabaseUnavailable, DatabaseBusy, TooManyRequests);
  if (route.for.kind === "inbound") return [...problems, ...inboundAuthenticationProblems];
  if (route.for.kind === "dispatch") {
    const own = [...dispatchAuthenticationProblems[route.for.slug], DispatchEndpointNotAllowed, DispatchRateLimited];
    return [...problems.map(asDispatchProblem), ...own, ...(readsBody ? [DispatchBodyTooLarge] : [])];
  }
  if (readsBody) problems.push(BodyTooLarge);
  if (route.for.kind === "outbound") return [...problems, ...outboundAuthenticationProblems];
  if (route.for.kind === "partner") return [...problems, InvalidToken, ...(takesKey(route) ? [KeyReuse] : [])];
  if (open) return problems;
  problems.push(Unauthorized, TokenExpired, TokenInvalidated, SessionEnded, PasswordChangeRequired);
  problems.push(SecondFactorMissing, EnrolmentRequired);
  if (route.path !== MCP_PATH) problems.push(OnlyForAgents);
  if (isByPersonOnly(route)) problems.push(NotWithKey);
  else if (route.method !== "get" && !route.changesNothing) problems.push(KeyReadsOnly);
  if (route.stepUp) problems.push(StepUpRequired);
  if (route.stepUp && !isByPersonOnly(route)) problems.push(NotWithKey);
  problems.push(WarehouseMismatch, WarehouseInvalid, WarehouseDenied);
  problems.push(OtherUser);
  if (route.method !== "get") problems.push(CsrfInvalid);
  if (takesKey(route)) problems.push(KeyReuse);
  if (route.body) problems.push(QuantityOutOfRange);
  if (route.body && route.for.kind === "page") problems.push(ConstraintViolation);
  if (functionNeeded(route)) problems.push(FunctionNotAllowed);
  if (route.for.kind === "admin") problems.push(Forbidden);
  if (route.for.kind === "page") problems.push(PermissionDenied);
  return problems;
}
