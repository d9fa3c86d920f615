import type { Knex } from "knex";
import { runFile } from "../files.js";

/** The migrations that made the schema of 0.3.0, which `schema.sql` has as they left it. */
const ofRelease = [
  ...["0001_master_data", "0002_people", "0003_purchasing", "0004_sales", "0005_stock", "0006_picking"],
  ...["0007_shipping", "0008_record", "0009_round_trips", "0010_vendor_list", "0012_sales_order_lists"],
  ...["0014_reading", "0015_inbound", "0016_outbound", "0017_indexes", "0018_envelopes"],
  ...["0019_state_domains", "0020_sessions", "0021_inbound_scope", "0022_canonical_hosts"],
  ...["0023_exact_stock", "0024_transfers", "0025_returns", "0026_backorders", "0027_notifications"],
  ...["0028_channels", "0029_lasting_keys", "0030_station", "0031_pos_activity", "0032_waiting_places"],
  ...["0033_connectors", "0034_fulfillment_pushes", "0035_refused_pushes", "0037_stream_epochs"],
  ...["0038_source_links", "0039_webhook_tests", "0041_list_changes", "0042_story", "0043_channel_changes"],
  ...["0046_sync_runs", "0047_shipment_lists", "0048_envelope_epochs", "0049_stock_noting"],
  ...["0050_update_triggers", "0051_named_ids", "0052_session_changes", "0053_order_updates"],
  ...["0054_item_noting"],
];

/** What led from there to the baseline, a file each: a database that has some of them goes on with the next. */
const since = [
  ...["0060_any_case", "0063_sellable", "0064_lacking", "0070_superseded_adjustments"],
  ...["0071_former_usernames", "0075_connector_shops", "0076_connector_rates", "0077_passed_over"],
  ...["0080_order_holds", "0085_connector_stock", "0090_warehouse_clocks", "0095_composed_usernames"],
  ...["0096_connector_makers", "0100_channel_skus", "0101_channel_deletions", "0105_line_properties"],
  ...["0115_doubted_stock", "0116_facts", "0120_any_case_barcodes", "0130_first_release"],
];

const nothing = async () => {};
const running = (file: string) => (knex: Knex) => runFile(knex, `upgrade-0.3.0/${file}.sql`);

/** The release that the baseline goes on from. */
export const release030 = {
  release: "0.3.0",
  last: ofRelease.at(-1) as string,
  chain: [
    ...ofRelease.map((name, at) => ({ name, migration: { up: at === 0 ? running("schema") : nothing } })),
    ...since.map((name) => ({ name, migration: { up: running(name) } })),
  ],
};
