/** What a label says of where its parcel goes: an order may get another address after it was bought. */

const parts = ["name", "line1", "line2", "city", "state", "postal_code", "country"] as const;
export type SentTo = Record<(typeof parts)[number], string | null>;

/** SQL: where the order `so` goes, as JSON. */
const NOW = `jsonb_build_object(${parts.map((part) => `'${part}', so.shipping_address_${part}`).join(", ")})`;

/** SQL: whether the label of the parcel `p`, which has not left, says another address than its order `so` has now. */
export const ADDRESS_CHANGED = `(p.status = 'CLOSED' and exists (
  select from label_purchases s
  where s.parcel_id = p.parcel_id and s.status in ('pending', 'bought') and s.sent_to <> ${NOW}))`;

export const sentTo = (order: SentTo): SentTo => Object.fromEntries(parts.map((part) => [part, order[part]])) as SentTo;
