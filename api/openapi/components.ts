import { z } from "zod";
import { AnyText } from "../../src/platform/fields.js";
import { AUTH_COOKIE, CSRF_COOKIE, USER_HEADER } from "../auth/authenticate.js";
import { IdempotencyKey } from "../http/idempotency.js";
import { Detail } from "../http/validation.js";
import { PARTNER_HEADER } from "../partners/authentication.js";

const ErrorBody = z
  .looseObject({
    error: AnyText("SKU is missing").describe("What went wrong, in words."),
    code: AnyText("not_found").describe("What was refused, for programs."),
  })
  .meta({
    id: "Error",
    description: "What went wrong: `error` for people, `code` for programs; some refusals add fields of their own.",
    examples: [{ error: "Not found", code: "not_found" }],
  });

const InboundErrorBody = z
  .looseObject({ error_kind: AnyText("stale_version").describe("What was refused, for programs.") })
  .meta({
    id: "InboundError",
    description:
      "What went wrong: `error_kind` for programs, mostly a `message` for people; some refusals add fields of their " +
      "own.",
    examples: [{ error_kind: "stale_version", message: "A newer version is stored" }],
  });

const details = z.array(Detail).describe("What is wrong, field by field.");
const ValidationBody = z
  .strictObject({
    error: z.literal("validation_error").describe("Always this one."),
    code: z.literal("validation_error").describe("Always this one."),
    details,
  })
  .meta({ id: "ValidationError", description: "What is wrong with the request, field by field." });
const InboundValidationBody = z
  .strictObject({ error_kind: z.literal("validation_error").describe("Always this one."), details })
  .meta({ id: "InboundValidationError", description: "What is wrong with the pushed record, field by field." });

const DispatchErrorBody = z
  .strictObject({
    error: AnyText("SKU is missing").optional().describe("What went wrong, in words."),
    code: AnyText("invalid_token").optional().describe("The kind again, of a 401 or 403."),
    error_kind: AnyText("rate_limited").describe("What was refused, for programs."),
    message: AnyText("Done").describe("Why it was refused, in words."),
    details: z.looseObject({}).describe("The fields that this kind of refusal has."),
  })
  .meta({
    id: "DispatchError",
    description:
      "What went wrong at a station or till: `error_kind` for programs, `message` for people, and fields in " +
      "`details`. 401 and 403 say the kind as `error` and `code` too.",
    examples: [{ error_kind: "rate_limited", message: "This token has used up its requests", details: {} }],
  });

/** The error body of stations and tills for an invalid request: the first field that is wrong. */
export const dispatchValidationExamples = {
  invalid_body: {
    value: {
      error_kind: "invalid_body",
      message: "Field required",
      details: { field: "idempotency_key", reason: "missing" },
    },
  },
  invalid_query_param: {
    value: { error_kind: "invalid_query_param", message: "Field required", details: { field: "sku" } },
  },
};

export const validationExample: z.infer<typeof ValidationBody> = {
  error: "validation_error",
  code: "validation_error",
  details: [{ type: "missing", loc: ["items", 0, "quantity"], msg: "Field required" }],
};
export const inboundValidationExample: z.infer<typeof InboundValidationBody> = {
  error_kind: "validation_error",
  details: [{ type: "missing", loc: ["external_id"], msg: "Field required" }],
};

/** What middleware adds to every route, once in the OpenAPI document. */
export const components = {
  securitySchemes: {
    bearer: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "The `token` of POST /api/auth/login, or a personal key of POST /api/auth/keys, which begins with `wes_`.",
    },
    cookie: { type: "apiKey", in: "cookie", name: AUTH_COOKIE, description: "Set by POST /api/auth/login." },
    csrf: {
      type: "apiKey",
      in: "header",
      name: "X-CSRF-Token",
      description: `The value of the cookie \`${CSRF_COOKIE}\`; with the cookie, every change needs it.`,
    },
    token: {
      type: "apiKey",
      in: "header",
      name: "X-WMS-Token",
      description:
        "An integration token, from POST /api/admin/tokens. It opens what it was issued for and nothing else.",
    },
    partner: {
      type: "apiKey",
      in: "header",
      name: PARTNER_HEADER,
      description: "The `session` of POST /api/partner/session. It opens what the connector of its link owns.",
    },
  },
  parameters: {
    RequestId: {
      name: "X-Request-ID",
      in: "header",
      description:
        "A UUID names the request in the answer and in its events (`source_txn_id`). Without one, or with " +
        "anything else, the request gets a fresh UUID.",
      schema: { type: "string", examples: ["3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e"] },
    },
    ExpectedUser: {
      name: USER_HEADER,
      in: "header",
      description:
        "The `external_id` of the user whose request it is. It is refused (`other_user`) when somebody else is " +
        "signed in, so that what one person did on a shared device never counts as another's.",
      schema: { type: "string", format: "uuid" },
    },
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      description:
        "The same request again with the same key gets the first answer and changes nothing " +
        "(`X-Idempotent-Replay: true`); another request with it is refused. A key is the user's own and " +
        "lives 24 hours. A refusal is not kept: the request may be tried again with the same key.",
      schema: { ...jsonSchema(IdempotencyKey), examples: ["receive-PO-2001-1"] },
    },
  },
  headers: {
    RequestId: { description: "The request's id.", schema: { type: "string", format: "uuid" } },
    IdempotentReplay: {
      description: "Set when this is the first answer again: nothing was changed.",
      schema: { const: "true" },
    },
  },
  responses: {
    RequestTimeout: {
      description: "The request did not arrive as a whole in time. Without a body; the connection ends.",
    },
    HeadersTooLarge: {
      description: "The head of the request is larger than 16 KB. Without a body; the connection ends.",
    },
  },
};

const RequestErrorBody = z
  .union([ErrorBody, ValidationBody])
  .meta({ id: "RequestError", description: "What is wrong with the request, as a whole or field by field." });

const InboundRequestErrorBody = z
  .union([InboundErrorBody, InboundValidationBody])
  .meta({ id: "InboundRequestError", description: "What is wrong with the push, as a whole or field by field." });

/** The bodies of refusals. */
export const refusalBodies = [RequestErrorBody, InboundRequestErrorBody, DispatchErrorBody];

function jsonSchema(schema: z.ZodType): object {
  const { $schema, ...rest } = z.toJSONSchema(schema);
  return rest;
}

type ComponentKind = keyof typeof components | "schemas" | "responses" | "examples";

/** A reference to one of the components. */
export const ref = (kind: ComponentKind, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** `cycle_count.adjusted` as `CycleCountAdjusted`. */
export const pascalCase = (name: string) =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
