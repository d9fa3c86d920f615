import type { Knex } from "knex";
import * as masterData from "./0001_master_data.js";
import * as people from "./0002_people.js";
import * as purchasing from "./0003_purchasing.js";
import * as sales from "./0004_sales.js";
import * as stock from "./0005_stock.js";
import * as picking from "./0006_picking.js";
import * as shipping from "./0007_shipping.js";
import * as record from "./0008_record.js";
import * as roundTrips from "./0009_round_trips.js";
import * as vendorList from "./0010_vendor_list.js";
import * as salesOrderLists from "./0012_sales_order_lists.js";
import * as reading from "./0014_reading.js";
import * as inbound from "./0015_inbound.js";
import * as outbound from "./0016_outbound.js";
import * as indexes from "./0017_indexes.js";
import * as envelopes from "./0018_envelopes.js";
import * as stateDomains from "./0019_state_domains.js";
import * as sessions from "./0020_sessions.js";
import * as inboundScope from "./0021_inbound_scope.js";
import * as canonicalHosts from "./0022_canonical_hosts.js";
import * as exactStock from "./0023_exact_stock.js";
import * as transfers from "./0024_transfers.js";
import * as returns from "./0025_returns.js";
import * as backorders from "./0026_backorders.js";
import * as notifications from "./0027_notifications.js";
import * as channels from "./0028_channels.js";
import * as lastingKeys from "./0029_lasting_keys.js";
import * as station from "./0030_station.js";

import * as posActivity from "./0031_pos_activity.js";
import * as waitingPlaces from "./0032_waiting_places.js";

/** In the order they run. A released migration is never edited or renamed; a change is a new one at the end. */
export const migrations: { name: string; migration: Knex.Migration }[] = [
  { name: "0001_master_data", migration: masterData },
  { name: "0002_people", migration: people },
  { name: "0003_purchasing", migration: purchasing },
  { name: "0004_sales", migration: sales },
  { name: "0005_stock", migration: stock },
  { name: "0006_picking", migration: picking },
  { name: "0007_shipping", migration: shipping },
  { name: "0008_record", migration: record },
  { name: "0009_round_trips", migration: roundTrips },
  { name: "0010_vendor_list", migration: vendorList },
  { name: "0012_sales_order_lists", migration: salesOrderLists },
  { name: "0014_reading", migration: reading },
  { name: "0015_inbound", migration: inbound },
  { name: "0016_outbound", migration: outbound },
  { name: "0017_indexes", migration: indexes },
  { name: "0018_envelopes", migration: envelopes },
  { name: "0019_state_domains", migration: stateDomains },
  { name: "0020_sessions", migration: sessions },
  { name: "0021_inbound_scope", migration: inboundScope },
  { name: "0022_canonical_hosts", migration: canonicalHosts },
  { name: "0023_exact_stock", migration: exactStock },
  { name: "0024_transfers", migration: transfers },
  { name: "0026_backorders", migration: backorders },
  { name: "0027_notifications", migration: notifications },
  { name: "0028_channels", migration: channels },
  { name: "0025_returns", migration: returns },
  { name: "0029_lasting_keys", migration: lastingKeys },
  { name: "0030_station", migration: station },
  { name: "0031_pos_activity", migration: posActivity },
  { name: "0032_waiting_places", migration: waitingPlaces },
];
