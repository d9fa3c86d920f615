import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Caller } from "./caller.js";
import { accountBody, CARRIERS, closedParcel, FROM_EUROPE, toAddress } from "./carrier-requests.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { until } from "./until.js";

/** Local carriers (examples/carriers), and parcels that are sent by them. */

export const CARRIER_ENV = {
  SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
  CONNECTOR_BACKOFF_MS: "1",
  CONNECTOR_HTTP_TIMEOUT_MS: "1500",
  CONNECTOR_CIRCUIT_OPEN_MS: "1000",
};

export type CarrierName = "easypost" | "sendcloud" | "karrio";

type Call = { method: string; path: string; status: number | null };
type Started = { url: string; close(): Promise<void> };

/** What an account with a local carrier has to be told. */
const configs: Record<CarrierName, (url: string) => Record<string, string>> = {
  easypost: (api_url) => ({ api_url, api_key: "EZTK_local" }),
  sendcloud: (api_url) => ({ api_url, public_key: "local_public", secret_key: "local_secret" }),
  karrio: (api_url) => ({ api_url, api_token: "key_test_local" }),
};

export async function openCarrier(name: CarrierName = "easypost", options: { port?: number; data?: string } = {}) {
  const file = path.resolve("examples/carriers", `${name}.mjs`);
  const { start } = (await import(pathToFileURL(file).href)) as { start(options: object): Promise<Started> };
  const { url, close } = await start({ port: 0, ...options });
  const door = async (method: string, to: string, body?: object) => {
    const answer = await fetch(`${url}/_control/${to}`, {
      ...{ method, headers: { "content-type": "application/json" } },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  return {
    ...{ url, close, config: configs[name](url) },
    /** How the next request is answered (examples/carriers/README.md). */
    fault: (body: object) => door("POST", "faults", body),
    mended: () => door("DELETE", "faults"),
    /** How many labels were ever bought for a purchase, and how many of them are void. */
    bought: async (key: string) => (await door("GET", `bought?reference=${key}`)) as { bought: number; voided: number },
    calls: async () => ((await door("GET", "calls")) as { calls: Call[] }).calls,
    /** A parcel's next step, and the webhooks of it with what they were answered. */
    step: async (body: object) => (await door("POST", "step", body)) as { sent: { status: number; content: string }[] },
    /** Has its webhooks sent to an address; gives what the account has to be told then. */
    sendTo: async (to: string): Promise<Record<string, string>> => senders[name](url, to),
    /** EasyPost: what the carrier says to a refund in the end. */
    refund: (body: object) => door("POST", "refund", body),
  };
}

const senders: Record<CarrierName, (url: string, to: string) => Promise<Record<string, string>>> = {
  async easypost(url, to) {
    const webhook_secret = "wörd of mouth";
    const authorization = `Basic ${Buffer.from("EZTK_local:").toString("base64")}`;
    await asked(`${url}/v2/webhooks`, { webhook: { url: to, webhook_secret } }, authorization);
    return { webhook_secret };
  },
  async sendcloud(url, to) {
    await asked(`${url}/_control/webhook`, { url: to });
    return {};
  },
  async karrio(url, to) {
    const body = { url: to, enabled_events: ["tracker_updated"] };
    const { secret } = await asked(`${url}/v1/webhooks`, body, "Token key_test_local");
    return { webhook_secret: secret as string };
  },
};

async function asked(url: string, body: object, authorization?: string): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", ...(authorization && { authorization }) };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
export type LocalCarrier = Awaited<ReturnType<typeof openCarrier>>;

/** An account with a local carrier. */
export const accountWith = async (
  by: Caller,
  warehouse_id: number,
  carrier: LocalCarrier,
  fields: { carrier?: string } & Record<string, unknown> = {},
): Promise<number> => {
  // As they are tested, the others send from Europe to Europe, where nothing is declared.
  const from = fields.carrier && fields.carrier !== "easypost" && { ship_from: FROM_EUROPE };
  const body = accountBody(warehouse_id, { config: carrier.config, ...from, ...fields });
  return (await by.ok("POST", CARRIERS, body)).account_id;
};

/** A closed parcel of a new order. */
export async function parcelTo(warehouse_id: number, address: Record<string, string | null> = {}, weight = 2) {
  const { item_id } = await fixtures.item();
  const order = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
  await toAddress(order.so_id, address);
  return { ...order, parcel_id: await closedParcel(order.so_id, weight) };
}

export const PARCELS = "/api/packing/parcels";
export const LABELS = "/api/packing/labels";

/** The newest label of a parcel. */
export const labelOf = async (by: Caller, parcel_id: number) =>
  (await by.ok("GET", `${PARCELS}/${parcel_id}/labels`)).labels[0];

/** The newest label of a parcel, once it is in one of these. */
export async function labelIn(by: Caller, parcel_id: number, ...statuses: string[]) {
  // biome-ignore lint/suspicious/noExplicitAny: an answer, held against its schema where it came
  let label: any;
  await until(async () => {
    label = await labelOf(by, parcel_id);
    return statuses.includes(label?.status);
  }, 30_000).catch((error) => {
    throw new Error(`${error.message}: it is ${label?.status}, ${label?.last_error}`);
  });
  return label;
}

/** A bought label's parcel, which has left. */
export async function shippedWith(by: Caller, warehouse_id: number, address: Record<string, string> = {}) {
  const { so_id, parcel_id } = await parcelTo(warehouse_id, address);
  await by.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
  const label = await labelIn(by, parcel_id, "bought", "failed");
  await db.run(
    `with left_with as (insert into item_fulfillments (so_id, warehouse_id) values ($1, $2) returning fulfillment_id)
     update parcels p set status = 'SHIPPED', shipped_at = now(), fulfillment_id = left_with.fulfillment_id
     from left_with where parcel_id = $3`,
    [so_id, warehouse_id, parcel_id],
  );
  return { so_id, parcel_id, ...(label as { purchase_id: number; tracking_number: string }) };
}

/** The reference that the carrier knows a purchase by. */
export const keyOf = (purchase_id: number) =>
  db.value<string>("select key from label_purchases where purchase_id = $1", [purchase_id]) as Promise<string>;
