import { z } from "zod";
import { type Shipment, SourceError } from "../connector.js";
import { ask, type WooSource } from "./api.js";
import { read } from "./documents.js";

/**
 * Tracking numbers in the extension "Shipment Tracking" of woocommerce.com, by its documented REST API, where a shop
 * has it: customers then see them in their account and in the message that the order is complete.
 */

const NAMESPACE = "wc-shipment-tracking/v3";
const pathOf = ({ order_id }: Shipment) =>
  `${NAMESPACE}/orders/${encodeURIComponent(order_id)}/shipment-trackings` as const;

const Trackings = z.array(z.object({ tracking_id: z.string(), tracking_number: z.string() }));

/** Adds the numbers that the order does not have yet. */
export async function addTracking(source: WooSource, shipment: Shipment): Promise<void> {
  const present = await trackingsOf(source, shipment);
  const missing = shipment.tracking_numbers.filter(
    (number) => !present?.some(({ tracking_number }) => tracking_number === number),
  );
  if (!present || missing.length === 0) return;
  const tracking_provider = await providerOf(source, shipment.carrier);
  // For a carrier that the extension does not know it needs a link address, which this service does not have.
  if (!tracking_provider) return;
  const date_shipped = shipment.shipped_at.slice(0, 10);
  for (const tracking_number of missing)
    await ask(source, pathOf(shipment), { body: { tracking_provider, tracking_number, date_shipped } });
}

/** Removes the shipment's numbers. */
export async function removeTracking(source: WooSource, shipment: Shipment): Promise<void> {
  for (const { tracking_id, tracking_number } of (await trackingsOf(source, shipment)) ?? [])
    if (shipment.tracking_numbers.includes(tracking_number))
      await ask(source, `${pathOf(shipment)}/${encodeURIComponent(tracking_id)}`, { method: "DELETE" });
}

/** The order's trackings; undefined where the shop does not have the extension. */
async function trackingsOf(source: WooSource, shipment: Shipment): Promise<z.output<typeof Trackings> | undefined> {
  try {
    return read(Trackings, (await ask(source, pathOf(shipment))).json(), "an order's trackings");
  } catch (error) {
    if (error instanceof SourceError && error.status === 404) return undefined;
    throw error;
  }
}

/** The extension's name of a carrier; it lists carriers by region. */
async function providerOf(source: WooSource, carrier: string): Promise<string | undefined> {
  const answer = (await ask(source, `${NAMESPACE}/shipment-trackings/providers`)).json();
  const regions = read(z.record(z.string(), z.record(z.string(), z.unknown())), answer, "carriers");
  return Object.values(regions)
    .flatMap((carriers) => Object.keys(carriers))
    .find((name) => name.toLowerCase() === carrier.toLowerCase());
}
