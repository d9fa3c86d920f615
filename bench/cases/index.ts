import type { Case } from "../case.js";
import {
  adjustmentImport,
  dashboards,
  itemImport,
  itemList,
  itemListSearch,
  salesOrderImport,
  salesOrderList,
  searching,
} from "./admin.js";
import { eventCommits } from "./events.js";
import { orderFlow } from "./flow.js";
import { inboundItem, inboundRepeat, inboundSalesOrder } from "./inbound.js";
import { login } from "./login.js";
import { pack, ship, stationShip, verify } from "./packing.js";
import { packParcels } from "./parcels.js";
import { completeBatch, confirm, waveCreate, waveCreateLots } from "./picking.js";
import { eventsPage, largeEventsPage } from "./polling.js";
import { posAvailability, posCheckout } from "./pos.js";
import { itemSearch, lookup, purchaseOrder } from "./reads.js";
import { snapshot } from "./snapshot.js";
import { move, putAway, receiving, receivingAwaited } from "./stock.js";
import { transferApprove } from "./transfers.js";
import { nextWave, nextWavePaced, planning, releasing } from "./waves.js";

/** What people on the floor do, one request each. */
export const floor: Case[] = [
  ...[lookup, itemSearch, purchaseOrder, receiving, putAway, move],
  ...[waveCreate, confirm, completeBatch, verify, pack, ship],
];
/** What the desk looks at. */
export const desk: Case[] = [itemList, salesOrderList, searching, dashboards];
/** What other programs ask, push and poll. */
export const programs: Case[] = [
  ...[stationShip, posAvailability, posCheckout, inboundItem, inboundSalesOrder, eventsPage, largeEventsPage],
];

/** What somebody on the floor or a partner waits for. */
export const hot: Case[] = [
  ...[lookup, itemSearch, purchaseOrder, receiving, putAway, move, waveCreate, confirm, completeBatch, ship],
  ...[itemList, salesOrderList, searching, dashboards, eventsPage],
];

export { orderFlow };

/** All of them, in the order in which they are measured. */
export const cases: Case[] = [
  lookup,
  itemSearch,
  purchaseOrder,
  receiving,
  putAway,
  move,
  waveCreate,
  waveCreateLots,
  planning,
  releasing,
  nextWave,
  nextWavePaced,
  confirm,
  completeBatch,
  verify,
  pack,
  packParcels,
  ship,
  stationShip,
  transferApprove,
  posAvailability,
  posCheckout,
  login,
  itemList,
  itemListSearch,
  salesOrderList,
  searching,
  dashboards,
  itemImport,
  adjustmentImport,
  salesOrderImport,
  inboundItem,
  inboundRepeat,
  inboundSalesOrder,
  snapshot,
  orderFlow,
  eventCommits,
  eventsPage,
  largeEventsPage,
  // Last: its orders would stand in the lists of the others.
  receivingAwaited,
];
