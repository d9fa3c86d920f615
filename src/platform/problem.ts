/**
 * The body of a refusal: `error` is the message (docs/interface.md, Answers and errors) and `code` its kind; on inbound
 * routes `error_kind` is. Others may follow.
 */
export type ProblemBody = { error?: string; code?: string } & Record<string, unknown>;

/**
 * An expected refusal: the caller gets `status` and `body`, nothing was changed, and a retry would end the same.
 * Anything else that is thrown is a bug (logged, answered 500, retried by Temporal).
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  /** Whole seconds after which the caller may retry: the `Retry-After` header. */
  retryAfter?: number;
  readonly body: ProblemBody;
  constructor(
    readonly kind: string,
    readonly status: number,
    { error, ...fields }: ProblemBody,
  ) {
    super(error ?? kind);
    this.body = error === undefined ? fields : { error, code: kind, ...fields };
  }

  /** The same refusal, with a `Retry-After` header. */
  after(seconds: number): this {
    this.retryAfter = Math.max(1, Math.ceil(seconds));
    return this;
  }
}

/** A kind of refusal: call it to make the error, list it in the `errors` of the routes that may answer it. */
export interface Problem {
  (values?: Record<string, string | number>, fields?: Record<string, unknown>): DomainError;
  readonly kind: string;
  readonly status: number;
  readonly message: string;
}

/**
 * Declares a kind of refusal. `{name}` in the message is filled from the values of the call; `fields` are added to the
 * body.
 * @example const PoClosed = problem("po_closed", 400, "Purchase order is {status}"); throw PoClosed({ status });
 */
export function problem(kind: string, status: number, message: string): Problem {
  const make = (values: Record<string, string | number> = {}, fields: Record<string, unknown> = {}) => {
    const error = message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    return new DomainError(kind, status, { error, ...fields });
  };
  return Object.assign(make, { kind, status, message });
}

/** A kind of refusal whose body has the values of its text too, for pages that phrase it themselves. */
export function openProblem(kind: string, status: number, message: string): Problem {
  const make = problem(kind, status, message);
  return Object.assign(
    (values: Record<string, string | number> = {}, fields: Record<string, unknown> = {}) =>
      make(values, { ...values, ...fields }),
    { kind, status, message },
  );
}

/** A kind of refusal whose body names it, `{error, kind, …}`, as on some admin routes. */
export function namedProblem(kind: string, status: number, message: string): Problem {
  const make = problem(kind, status, message);
  return Object.assign(
    (values: Record<string, string | number> = {}, fields: Record<string, unknown> = {}) =>
      make(values, { kind, ...fields }),
    { kind, status, message },
  );
}

/** A problem of inbound routes: its body has an `error_kind` (docs/interface.md, Inbound). */
export function inboundProblem(kind: string, status: number, message: string): Problem {
  const make = problem(kind, status, message);
  return Object.assign(
    (values: Record<string, string | number> = {}, fields: Record<string, unknown> = {}) =>
      new DomainError(kind, status, { error_kind: kind, message: make(values).message, ...fields }),
    { kind, status, message },
  );
}

/** What is wrong with one field of a request: `loc` is the path to it (docs/interface.md, Answers and errors). */
export interface FieldFault {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** A 400 that names fields; on inbound routes a 422 (api/inbound/authentication.ts). */
export const validationError = (details: FieldFault[]): DomainError =>
  new DomainError("validation_error", 400, { error: "validation_error", details });

export const Forbidden = problem("forbidden", 403, "Forbidden");
export const WarehouseDenied = problem("warehouse_denied", 403, "Access denied for this warehouse");
export const DatabaseUnavailable = problem("database_unavailable", 503, "database_unavailable");
/** A lock could not be taken in time, or a statement took too long (SQLSTATE 55P03 and 57014). */
export const DatabaseBusy = problem("database_busy", 503, "database_busy");
export const WorkflowEngineUnavailable = problem("workflow_engine_unavailable", 503, "workflow_engine_unavailable");
export const KeyReuse = problem("idempotency_key_reuse", 409, "idempotency_key_reuse");
export const NotFound = problem("not_found", 404, "Not found");
export const NothingToChange = problem("nothing_to_change", 400, "No field to change was sent");
export const UnsupportedMediaType = problem("unsupported_media_type", 415, "unsupported_media_type");
export const BodyTooLarge = problem("body_too_large", 413, "body_too_large");
/** A sum of units that is too large for its column (SQLSTATE 22003). */
export const QuantityOutOfRange = problem("quantity_out_of_range", 400, "A quantity is out of range");
/** A violated constraint that no check foresaw (SQLSTATE class 23; docs/interface.md, Answers and errors). */
export const ConstraintViolation = problem("integrity_constraint_violation", 409, "integrity_constraint_violation");
