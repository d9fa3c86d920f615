import { DomainError, type Problem, problem } from "./problem.js";

/**
 * A problem of station and POS routes: `{error_kind, message, details}`, where the fields of the call are the details
 * (docs/interface.md, Answers and errors).
 */
export function dispatchProblem(kind: string, status: number, message: string): Problem {
  const make = problem(kind, status, message);
  return Object.assign(
    (values: Record<string, string | number> = {}, details: Record<string, unknown> = {}) =>
      dispatchError(kind, status, make(values).message, details),
    { kind, status, message },
  );
}

/** A 401 or 403 has its kind as `error` too, as on the other routes for tokens. */
const dispatchError = (kind: string, status: number, message: string, details: Record<string, unknown>) =>
  new DomainError(kind, status, {
    ...([401, 403].includes(status) && { error: kind }),
    error_kind: kind,
    message,
    details,
  });

/** The `idempotency_key` of a body was used for another request. */
export const KeyReused = dispatchProblem(
  "idempotency_key_reused_with_different_body",
  409,
  "This idempotency_key was used for another request",
);

/** Any refusal in the shape for stations and tills. Of invalid fields the first one is named. */
export function asDispatchError(error: DomainError, isRead: boolean): DomainError {
  if ("error_kind" in error.body) return error;
  if (error.kind === "validation_error") return firstFault(error, isRead);
  const { error: text = error.kind, code: _, message = text, ...details } = error.body;
  const made = dispatchError(error.kind, error.status, String(message), details);
  return error.retryAfter === undefined ? made : made.after(error.retryAfter);
}

function firstFault({ body }: DomainError, isRead: boolean): DomainError {
  const [fault] = body.details as { type: string; loc: (string | number)[]; msg: string }[];
  const field = fault?.loc.join(".") ?? "";
  if (isRead) return dispatchError("invalid_query_param", 422, fault?.msg ?? "", { field });
  return dispatchError("invalid_body", 422, fault?.msg ?? "", { field, reason: fault?.type });
}

/** The body of any problem on routes of stations and tills. */
export const asDispatchProblem = (problem: Problem): Problem =>
  Object.assign((...given: Parameters<Problem>) => asDispatchError(problem(...given), false), {
    kind: problem.kind,
    status: problem.status,
    message: problem.message,
  });
