import { z } from "zod";
import { updateInventory } from "../../activities/inbound/inventory-update.js";
import { takePush } from "../../activities/inbound/push.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { Id, Text, Time, Units } from "../../src/fields.js";
import { type CanonicalType, canonicalTypes, type Resource } from "../../src/inbound/columns.js";
import {
  ConstraintBroken,
  forbidden,
  InvalidPayloadTypes,
  LinesInFlight,
  LockHeld,
  LookupMiss,
  MappingApplyError,
  MappingNotLoaded,
  MissingPayloadFields,
  NegativeTarget,
  OverrideNotAllowed,
  OverridesInBody,
  StaleVersion,
  StockPromised,
  UnknownInboundBin,
  UnknownInboundItem,
  WarehouseNotAllowed,
} from "../../src/inbound/problems.js";
import { inbound, route } from "../http/route.js";
import { pascalCase } from "../openapi/names.js";

const example = (value: unknown) => ({ examples: [value] });

const Push = z
  .strictObject({
    external_id: z.string().min(1).max(128).meta(example("4711")),
    external_version: z.string().min(1).max(64).meta(example("2026-05-06T12:00:00Z")),
    source_payload: z.record(z.string(), z.unknown()).meta(example({ id: 4711, sku: "MUG", title: "Mug" })),
    mapping_overrides: z.record(z.string(), z.unknown()).nullish().meta(example(null)),
  })
  .meta({ id: "InboundPush", description: "A record as another system has it." });

const written = (resource: Resource) =>
  z
    .strictObject({
      inbound_id: Id,
      canonical_id: z.uuid(),
      canonical_type: z.literal(canonicalTypes[resource]) as z.ZodType<CanonicalType>,
      received_at: Time,
      warning: Text(200, "The canonical model is a draft (DRAFT-v1) and may break at v2.0"),
    })
    .meta({ id: pascalCase(`pushed_${canonicalTypes[resource]}`), description: "What became of the pushed record." });

/**
 * Overrides are the token's: a request that brings some is refused, whether or not its token may have them (spec 5.4).
 */
function refuseOverrides({ mapping_overrides }: z.output<typeof Push>, token: Token) {
  if (!mapping_overrides) return;
  if (!token.mapping_override) throw forbidden(OverrideNotAllowed);
  throw forbidden(OverridesInBody, "Set mapping_overrides of the token instead");
}

const push = (resource: Resource) =>
  route(`post /api/v1/inbound/${resource}`, {
    for: inbound(resource),
    summary: `Takes a ${canonicalTypes[resource].replace("_", " ")} of another system; the same version again gets the first answer`,
    body: Push,
    answers: { 201: written(resource), 200: written(resource) },
    errors: [
      OverrideNotAllowed,
      OverridesInBody,
      MappingNotLoaded,
      LockHeld,
      StaleVersion,
      MappingApplyError,
      LookupMiss,
      ConstraintBroken,
      ...(resource.endsWith("_orders") ? [LinesInFlight, WarehouseNotAllowed] : []),
    ],
    run: async ({ body, token, by, req, res }) => {
      refuseOverrides(body, token);
      const { external_id, external_version } = body;
      // As it was sent: a copy of an object has not every name that a payload may have.
      const { source_payload } = req.body;
      const { written, repeated } = await takePush(
        resource,
        { external_id, external_version, source_payload },
        token,
        by,
      );
      if (repeated) res.status(200);
      return written;
    },
  });

export const pushCustomer = push("customers");
export const pushItem = push("items");
export const pushVendor = push("vendors");
export const pushPurchaseOrder = push("purchase_orders");
export const pushSalesOrder = push("sales_orders");

const Target = z.strictObject({
  item_external_id: z.string(),
  bin_code: z.string(),
  warehouse_id: Id,
  target_quantity: z.int().max(2_147_483_647),
  reason_code: z.string(),
});
const targetFields = Object.keys(Target.shape);

/** What inventory_update finds in its payload; other fields of it are the sender's own. */
function targetOf(payload: Record<string, unknown>): z.output<typeof Target> {
  const missing = targetFields.filter((field) => (payload[field] ?? null) === null);
  if (missing.length > 0) throw MissingPayloadFields({ fields: missing.join(", ") }, { missing });
  const target = Target.strip().safeParse(payload);
  if (!target.success) {
    const faults = target.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw InvalidPayloadTypes({ fault: faults.join("; ") });
  }
  const { target_quantity } = target.data;
  if (target_quantity < 0) throw NegativeTarget({}, { target_quantity });
  return target.data;
}

const current = {
  applied_delta: Units,
  current_quantity: Units,
  target_quantity: Units,
  warehouse_id: Id,
  bin_id: Id,
  item_id: Id,
};

export const pushInventory = route("post /api/v1/inbound/inventory_update", {
  for: inbound("inventory_update"),
  summary: "Sets what lies in a bin; 200 when that much lies there already",
  body: Push.extend({
    source_payload: z.record(z.string(), z.unknown()).meta(
      example({
        item_external_id: "4711",
        bin_code: "A-01",
        warehouse_id: 1,
        target_quantity: 40,
        reason_code: "RECOUNT",
      }),
    ),
  }),
  answers: {
    201: z.strictObject({
      canonical_id: z.uuid(),
      adjustment_id: Id,
      ...current,
      noop: z.literal(false),
    }),
    200: z.strictObject({ ...current, noop: z.literal(true) }),
  },
  errors: [
    OverrideNotAllowed,
    OverridesInBody,
    MissingPayloadFields,
    InvalidPayloadTypes,
    NegativeTarget,
    UnknownInboundItem,
    UnknownInboundBin,
    WarehouseNotAllowed,
    StockPromised,
  ],
  run: async ({ body, token, by, res }) => {
    refuseOverrides(body, token);
    const target = targetOf(body.source_payload);
    const updated = await updateInventory(target, token, by);
    if (updated.noop) res.status(200);
    return updated;
  },
});
