import { z } from "zod";
import { defineConnector, type Source } from "../../../src/connectors/connector.js";

/** A connector of the tests, told of shipments; test/support/pushes.ts has its shop. Like any other it asks first. */

const Config = z.strictObject({ base_url: z.url().meta({ label: "URL" }), token: z.string().meta({ label: "Token" }) });

interface Fulfilment {
  id: string;
  tracking: string[];
  cancelled: boolean;
}

async function ask<T>({ config, request }: Source<z.output<typeof Config>>, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${config.token}` };
  return (await request({ url: `${config.base_url}${path}`, headers, ...(body && { body }) })).json() as T;
}

export default defineConnector({
  name: "test-shop",
  versions: "integer",
  config: Config,
  pushFulfillment: async (source, shipment) => {
    const { order_id, so_number, order, tracking_numbers: tracking, carrier, service_level, shipped_at } = shipment;
    const { lines, part, complete, others } = shipment;
    const path = `/orders/${order_id}/fulfilments`;
    const present = await ask<Fulfilment[]>(source, path);
    const same = present.find(
      (one) => !one.cancelled && !others.includes(one.id) && one.tracking.join() === tracking.join(),
    );
    const told = { so_number, tracking, carrier, service_level, shipped_at, version: order?.version };
    Object.assign(told, { lines, part, complete });
    return { external_id: (same ?? (await ask<Fulfilment>(source, path, told))).id };
  },
  voidFulfillment: async (source, { order_id, external_id }) =>
    void (await ask(source, `/orders/${order_id}/fulfilments/${external_id}/cancel`, {})),
  testConnection: async () => "connected",
});
