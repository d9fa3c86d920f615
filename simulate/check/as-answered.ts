import { setTimeout as pause } from "node:timers/promises";
import { semaphore } from "../../src/platform/concurrency/semaphore.js";
import { decimalOfCents } from "../../src/pos/money.js";
import type { Caller, Json } from "../http/caller.js";
import { all, listed } from "../site/records.js";
import type { Site } from "../site/site.js";
import type { EventReader } from "./event-reader.js";
import { type Invariant, keysOf, owned } from "./invariants.js";
import { type KnownOrder, type Lists, type Model, note } from "./model.js";
import { totalOf } from "./packages.js";
import type { Picture } from "./picture.js";
import type { Told } from "./told.js";

/** Holds what the service told its clients against what they can read at the end of the day. */

const ORDERS = "/api/admin/sales-orders";
const AT_ONCE = 8;
/** How long the last events may take. */
const EVENTS_WITHIN_MS = 15_000;

export interface Read {
  site: Site;
  model: Model;
  told: Told;
  events: EventReader;
  before: Picture;
  after: Picture;
  /** Of what the counter sold. */
  counterOrigin: string;
}

export async function asAnswered(read: Read, besideOthers: boolean): Promise<Invariant[]> {
  const { site, model, told, events, before, after, counterOrigin } = read;
  await lastEvents(events, () => differences(model.events, told.events).length === 0);
  const stock = keysOf(before.onHand, after.onHand, model.moved).flatMap((key) => {
    const should = owned(before, key) + model.moved.of(key);
    const is = owned(after, key);
    return is === should ? [] : [`warehouse and item ${key}: ${is} instead of ${should}`];
  });
  return [
    { name: "stock is what the answers make of it", faults: stock },
    { name: "each order stands where the answers left it", faults: await ofOrders(site, model, told) },
    { name: "each parcel has what was put into it", faults: await ofParcels(site, model) },
    { name: "each step has its event once, in order", faults: differences(model.events, told.events) },
    ...(besideOthers ? [] : [{ name: "the numbers of events have no gap", faults: events.gaps }]),
    { name: "each sale and each refund has its amount", faults: await ofTills(site, model, counterOrigin) },
    { name: "nothing is open that was ended", faults: await stillOpen(site, model) },
  ];
}

async function lastEvents(events: EventReader, areAll: () => boolean): Promise<void> {
  const until = performance.now() + EVENTS_WITHIN_MS;
  while (!areAll() && performance.now() < until) {
    await pause(250);
    await events.page();
  }
}

function differences(expected: Lists, told: Lists): string[] {
  const names = [...new Set([...expected.keys(), ...told.keys()])];
  return names.flatMap((name) => {
    const [should, is] = [expected, told].map((lists) => lists.get(name)?.join(", ") ?? "nothing");
    return should === is ? [] : [`${name}: ${is} instead of ${should}`];
  });
}

const detailsOf = (office: Caller, soIds: number[]): Promise<Json[]> => {
  const slot = semaphore(AT_ONCE);
  return Promise.all(soIds.map((so_id) => slot(() => office.ok("GET", `${ORDERS}/:so_id`, { params: { so_id } }))));
};

async function ofOrders({ office }: Site, { orders }: Model, { released }: Told): Promise<string[]> {
  const details = await detailsOf(office, [...orders.keys()]);
  return details.flatMap(({ sales_order, lines }) => {
    const order = orders.get(sales_order.so_id) as KnownOrder;
    return ofOrder(order, sales_order.status, lines, released.get(order.so_number) ?? 0);
  });
}

function ofOrder(order: KnownOrder, status: string, lines: Json[], released: number): string[] {
  // Nobody asks for it when stock becomes free.
  const should = order.status === "WAITING_STOCK" && released > 0 ? "OPEN" : order.status;
  const isReleased = order.isBackorder && !["WAITING_STOCK", "CANCELLED"].includes(order.status);
  const shipped = lines.reduce((sum, line) => sum + line.quantity_shipped, 0);
  const left = order.left.reduce((sum, { units }) => sum + totalOf(units), 0);
  return [
    ...(status === should ? [] : [`${order.so_number} is ${status} instead of ${should}`]),
    ...(shipped === left ? [] : [`${order.so_number} shipped ${shipped} units instead of ${left}`]),
    ...(released > 1 || (isReleased && released === 0) ? [`${order.so_number} was released ${released} times`] : []),
  ];
}

/** Those of a cancelled order are void; what was in one that is void is in others. */
async function ofParcels({ houses, office }: Site, { orders }: Model): Promise<string[]> {
  const inWords = (status: string, units: number) => (status === "VOIDED" ? status : `${status} with ${units} units`);
  const [should, is]: [Lists, Lists] = [new Map(), new Map()];
  for (const { status: ofOrder, packages } of orders.values())
    for (const { parcel, status, units } of packages)
      if (parcel)
        note(
          should,
          `parcel ${parcel.parcel_id}`,
          inWords(ofOrder === "CANCELLED" ? "VOIDED" : status, totalOf(units)),
        );
  for (const { warehouse_id, account_id } of houses)
    for await (const parcel of account_id ? listed(office, "/api/admin/parcels", "parcels", { warehouse_id }) : [])
      if (orders.has(parcel.so_id))
        note(is, `parcel ${parcel.parcel_id}`, inWords(parcel.status, parcel.total_quantity));
  return differences(should, is);
}

async function ofTills({ office }: Site, { paid }: Model, order_origin: string): Promise<string[]> {
  const orders = await all(office, ORDERS, "sales_orders", { order_origin });
  const details = await detailsOf(
    office,
    orders.map(({ so_id }) => so_id),
  );
  const is = new Map<string, string>(
    details.map(({ sales_order: { so_number, order_total } }) => [so_number, order_total]),
  );
  const should = new Map([...paid].map(([so_number, cents]) => [so_number, decimalOfCents(cents)]));
  return [...new Set([...should.keys(), ...is.keys()])].flatMap((so_number) => {
    const [one, other] = [is, should].map((amounts) => amounts.get(so_number) ?? "nothing");
    return one === other ? [] : [`${so_number}: ${one} instead of ${other}`];
  });
}

/** Everybody ends the wave that he began before he goes home. */
async function stillOpen({ houses, office }: Site, model: Model): Promise<string[]> {
  const faults: string[] = [];
  for (const { warehouse_id, people } of houses) {
    for (const picker of people.pickers) {
      const { active, batch_id } = await picker.ok("GET", "/api/picking/active-batch");
      if (active) faults.push(`wave ${batch_id}`);
    }
    const query = { warehouse_id };
    const { counts } = await people.counter.ok("GET", "/api/inventory/cycle-counts/open", { query });
    for (const { count_id } of counts) if (model.counted.has(count_id)) faults.push(`count ${count_id}`);
  }
  for (const to_id of model.closed) {
    const { transfer_order } = await office.ok("GET", "/api/admin/transfer-orders/:to_id", { params: { to_id } });
    if (transfer_order.status !== "CLOSED") faults.push(`transfer order ${to_id}: ${transfer_order.status}`);
  }
  return faults;
}
