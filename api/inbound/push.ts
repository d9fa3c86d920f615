import { senderOfToken } from "../../activities/inbound/incoming.js";
import { updateInventory } from "../../activities/inbound/inventory-update.js";
import { writePush } from "../../activities/inbound/push.js";
import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import {
  ConstraintBroken,
  ExpiryUnknown,
  forbidden,
  InvalidPayloadTypes,
  LinesInFlight,
  LockHeld,
  LookupMiss,
  LotUnknown,
  MappingApplyError,
  MappingNotLoaded,
  MissingPayloadFields,
  NegativeTarget,
  OverrideNotAllowed,
  OverridesInBody,
  SerialsUnknown,
  StaleVersion,
  StockPromised,
  UnknownInboundBin,
  UnknownInboundItem,
  WarehouseNotAllowed,
} from "../../src/inbound/problems.js";
import {
  InventoryAdjusted,
  InventoryPush,
  InventoryTarget,
  InventoryUnchanged,
  Push,
  writtenTo,
} from "../../src/inbound/shapes.js";
import { inbound, route } from "../http/route.js";

/** Refuses a body with overrides: they are set on the token alone (docs/interface.md, Tokens). */
function refuseOverrides({ mapping_overrides }: Push, token: Token) {
  if (!mapping_overrides) return;
  if (!token.mapping_override) throw forbidden(OverrideNotAllowed);
  throw forbidden(OverridesInBody, "Set mapping_overrides of the token instead");
}

const pushRoute = (resource: Resource) => {
  const answer = writtenTo(resource);
  const record = canonicalTypes[resource].replace("_", " ");
  return route(`post /api/v1/inbound/${resource}`, {
    for: inbound(resource),
    summary: `Takes a ${record} of another system; the same version again gets the first answer`,
    body: Push,
    answers: { 201: answer, 200: answer },
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
      // The parsed body lacks names such as `__proto__`, which a payload may have.
      const { source_payload } = req.body;
      const { written, repeated } = await writePush(
        resource,
        { external_id, external_version, source_payload },
        token,
        by,
      );
      if (repeated) res.status(200);
      return written;
    },
  });
};

export const pushCustomer = pushRoute("customers");
export const pushItem = pushRoute("items");
export const pushVendor = pushRoute("vendors");
export const pushPurchaseOrder = pushRoute("purchase_orders");
export const pushSalesOrder = pushRoute("sales_orders");

const targetFields = Object.keys(InventoryTarget.shape);

/** The target of an inventory update, from its payload; other fields are ignored. */
function targetOf(payload: Record<string, unknown>): InventoryTarget {
  const missing = targetFields.filter((field) => (payload[field] ?? null) === null);
  if (missing.length > 0) throw MissingPayloadFields({ fields: missing.join(", ") }, { missing });
  const target = InventoryTarget.strip().safeParse(payload);
  if (!target.success) {
    const faults = target.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw InvalidPayloadTypes({ fault: faults.join("; ") });
  }
  const { target_quantity } = target.data;
  if (target_quantity < 0) throw NegativeTarget({}, { target_quantity });
  return target.data;
}

export const pushInventoryUpdate = route("post /api/v1/inbound/inventory_update", {
  for: inbound("inventory_update"),
  summary: "Sets what lies in a bin; 200 when that much lies there already",
  body: InventoryPush,
  answers: { 201: InventoryAdjusted, 200: InventoryUnchanged },
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
    LotUnknown,
    ExpiryUnknown,
    SerialsUnknown,
  ],
  run: async ({ body, token, by, res }) => {
    refuseOverrides(body, token);
    const target = targetOf(body.source_payload);
    const updated = await updateInventory(target, senderOfToken(token), by);
    if (updated.noop) res.status(200);
    return updated;
  },
});
