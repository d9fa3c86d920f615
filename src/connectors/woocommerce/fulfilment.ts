import { z } from "zod";
import type { Pushed, Shipment, ShippedLine } from "../connector.js";
import { ask, type WooSource } from "./api.js";
import { Id, itemOf, Order, over, plainText, read, VOIDED } from "./documents.js";
import { addTracking, removeTracking } from "./tracking.js";

const TO_COME = "; still to come: ";

const pathOf = ({ order_id }: Shipment) => `wc/v3/orders/${encodeURIComponent(order_id)}`;

/**
 * Pushes a shipment to the shop: a note to the customer with carrier and tracking numbers, for which WooCommerce has no
 * field, and once nothing more is to come the status `completed`. For a part, the note lists its units and those still
 * to come. The note is written first, and not again where it exists, so a push may be repeated.
 */
export async function pushFulfillment(source: WooSource, shipment: Shipment): Promise<Pushed> {
  const order = await orderOf(source, shipment);
  const { carrier, service_level, tracking_numbers, part, complete } = shipment;
  const by = [carrier, service_level].filter(Boolean).join(" ");
  const numbers = tracking_numbers.length > 0 ? `, tracking number ${tracking_numbers.join(", ")}` : "";
  const what = part ? `: ${namesOf(shipment.lines, order)}` : "";
  const more = shipment.to_come.length > 0 ? `${TO_COME}${namesOf(shipment.to_come, order)}` : "";
  const said = `Shipped by ${by}${numbers}${what}${more}`;
  const external_id = await note(source, shipment, { note: said, customer_note: true });
  await addTracking(source, shipment);
  // An order that the shop has ended keeps its status, although it was shipped: a person has to look at it.
  if (complete && !over.includes(order.status)) await setStatus(source, shipment, { status: "completed", voided: "" });
  return { external_id };
}

/** Voids a shipment: the order is processing again, and a note for the shop's staff gives the reason. */
export async function voidFulfillment(source: WooSource, shipment: Shipment): Promise<void> {
  const order = await orderOf(source, shipment);
  const numbers = shipment.tracking_numbers.join(", ");
  const what = shipment.part ? `not shipped: ${namesOf(shipment.lines, order)}` : "the order is not shipped";
  await note(source, shipment, {
    note: `The warehouse took the shipment${numbers && ` ${numbers}`} back; ${what}`,
    customer_note: false,
  });
  await removeTracking(source, shipment);
  if (order.status === "completed") await setStatus(source, shipment, { status: "processing", voided: "yes" });
}

const orderOf = async (source: WooSource, shipment: Shipment) =>
  read(Order, (await ask(source, pathOf(shipment))).json(), "an order");

/** Units of items, by the names that the order has for it: `Mug × 2, Cup × 1`. */
function namesOf(lines: ShippedLine[], { line_items }: Order): string {
  const nameOf = ({ item, sku }: ShippedLine) =>
    (line_items.find((one) => itemOf(one) === item) ?? line_items.find((one) => one.sku === sku))?.name ?? sku;
  return lines.map((line) => `${plainText(nameOf(line))} × ${line.quantity}`).join(", ");
}

async function setStatus(
  source: WooSource,
  shipment: Shipment,
  { status, voided }: { status: string; voided: "yes" | "" },
): Promise<void> {
  await ask(source, pathOf(shipment), { method: "PUT", body: { status, meta_data: [{ key: VOIDED, value: voided }] } });
}

const Notes = z.array(z.object({ id: Id, note: z.string(), customer_note: z.boolean() }));

/** A note without the units that were still to come when it was written, which may be fewer by now. */
const shippedIn = (note: string) => plainText(note)?.split(TO_COME)[0];

/** Writes a note unless the order has it already, not counting those of other shipments; returns its id. */
async function note(
  source: WooSource,
  shipment: Shipment,
  message: { note: string; customer_note: boolean },
): Promise<string> {
  const path = `${pathOf(shipment)}/notes`;
  const notes = read(Notes, (await ask(source, path)).json(), "an order's notes");
  const there = notes.find(
    (one) =>
      shippedIn(one.note) === shippedIn(message.note) &&
      one.customer_note === message.customer_note &&
      !shipment.others.includes(one.id),
  );
  if (there) return there.id;
  const made = (await ask(source, path, { body: message })).json();
  return read(z.object({ id: Id }), made, "a note").id;
}
