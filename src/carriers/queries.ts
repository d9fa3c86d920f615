import { z } from "zod";
import { arrayOf, bool, bytes, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { UNITS_FOR_CUSTOMS, UnitsForCustoms } from "../shipping/customs/queries.js";
import { CarrierRule, type CarrierRuleFilters, carrierRuleList } from "./rule-shapes.js";
import { type AccountFilters, accountList, CarrierAccount } from "./shapes.js";

/** The columns of an account `a` that people see. */
export const ACCOUNT = `a.account_id, a.warehouse_id, a.account_name, a.carrier, a.ship_from, a.label_format,
  a.check_address, to_char(a.collection_at, 'HH24:MI') as collection_at, a.collection_days, a.scan_out, a.is_active,
  a.updated_at, ${codeOf("a.warehouse_id")},
  '/api/v1/carriers/webhooks/' || a.webhook_key as webhook_path`;

/** A page of accounts, by warehouse and name. */
export function carrierAccounts(filters: AccountFilters) {
  const query = builder("carrier_accounts as a")
    .select(builder.raw(ACCOUNT))
    .orderBy(["a.warehouse_id", "a.account_name", "a.account_id"]);
  if (filters.warehouse_id) query.where("a.warehouse_id", filters.warehouse_id);
  return listPage(CarrierAccount, "carrier_accounts", query, filters, accountList);
}

/** An account with its configuration, as it is asked with. */
export const StoredAccount = z.strictObject({ ...CarrierAccount.shape, config_sealed: text });
export type StoredAccount = z.infer<typeof StoredAccount>;

export const accountById = (accountId: number): Promise<StoredAccount | undefined> =>
  db.row(StoredAccount, `select ${ACCOUNT}, a.config_sealed from carrier_accounts a where account_id = $1`, [
    accountId,
  ]);

/** The accounts in use of a warehouse, or one of them. */
export const accountsInUse = (sql: Sql, warehouseId: number, accountId: number | null): Promise<StoredAccount[]> =>
  sql.rows(
    StoredAccount,
    `select ${ACCOUNT}, a.config_sealed from carrier_accounts a
     where warehouse_id = $1 and is_active and ($2::int is null or account_id = $2) order by account_id`,
    [warehouseId, accountId],
  );

/** The columns of a rule `r`. */
export const CARRIER_RULE = `r.rule_id, r.warehouse_id, r.priority, r.rule_name, r.ship_method,
  r.min_weight_lbs::float8 as min_weight_lbs, r.max_weight_lbs::float8 as max_weight_lbs, r.countries, r.hazardous,
  r.account_id, r.carrier, r.service, r.within_days, r.is_active, r.updated_at, ${codeOf("r.warehouse_id")}`;

/** The rules of each warehouse, in the order in which they are asked. */
export function carrierRules(filters: CarrierRuleFilters) {
  const query = builder("carrier_rules as r")
    .select(builder.raw(CARRIER_RULE))
    .orderBy(["r.warehouse_id", "r.priority", "r.rule_id"]);
  if (filters.warehouse_id) query.where("r.warehouse_id", filters.warehouse_id);
  return listPage(CarrierRule, "carrier_rules", query, filters, carrierRuleList);
}

const RuleRow = {
  ...{ rule_name: text, ship_method: text.nullable(), min_weight_lbs: text.nullable() },
  ...{ max_weight_lbs: text.nullable(), countries: arrayOf(text), hazardous: bool.nullable() },
  account_id: int.nullable(),
  ...{ carrier: text.nullable(), service: text.nullable(), within_days: int.nullable() },
};

/** The rules of a warehouse that are asked. */
export const rulesInUse = (sql: Sql, warehouseId: number) =>
  sql.rows(
    RuleRow,
    `select rule_name, ship_method, min_weight_lbs, max_weight_lbs, countries, hazardous, account_id, carrier,
            service, within_days
     from carrier_rules where warehouse_id = $1 and is_active order by priority, rule_id`,
    [warehouseId],
  );

const addressRow = {
  ...{ name: text.nullable(), line1: text.nullable(), line2: text.nullable(), city: text.nullable() },
  ...{ state: text.nullable(), postal_code: text.nullable(), country: text.nullable(), phone: text.nullable() },
  ...{ email: text.nullable(), customer_name: text.nullable() },
};

export const SentParcel = z.strictObject({
  ...{ parcel_id: int, parcel_number: int, status: z.enum(["OPEN", "CLOSED", "SHIPPED", "VOIDED"]) },
  ...{ so_id: int, so_number: text, warehouse_id: int, ship_method: text.nullable(), weight_lbs: text.nullable() },
  ...{ length_in: text.nullable(), width_in: text.nullable(), height_in: text.nullable() },
  ...addressRow,
  ...{ hazardous: bool, tracking_number: text.nullable() },
  units: arrayOf(UnitsForCustoms),
});
export type SentParcel = z.infer<typeof SentParcel>;

/** SQL: a parcel, and where it goes. */
export const PARCEL_TO_SEND = `
  select p.parcel_id, p.parcel_number, p.status, p.so_id, so.so_number, p.warehouse_id, so.ship_method, p.weight_lbs,
         p.length_in, p.width_in, p.height_in, so.shipping_address_name as name, so.shipping_address_line1 as line1,
         so.shipping_address_line2 as line2, so.shipping_address_city as city, so.shipping_address_state as state,
         so.shipping_address_postal_code as postal_code, so.shipping_address_country as country,
         coalesce(so.shipping_address_phone, so.customer_phone) as phone, so.customer_email as email, so.customer_name,
         exists (select from parcel_lines l join items i using (item_id)
                 where l.parcel_id = p.parcel_id and i.is_hazardous) as hazardous, p.tracking_number,
         ${UNITS_FOR_CUSTOMS} as units
  from parcels p join sales_orders so using (so_id) where p.parcel_id = $1`;

export const parcelToSend = (parcelId: number): Promise<SentParcel | undefined> =>
  db.row(SentParcel, PARCEL_TO_SEND, [parcelId]);

/** The labels that something is to be done for: bought, or taken back. */
export const unfinishedLabels = (): Promise<LabelToDo[]> =>
  db.rows(
    ToDoRow,
    `select purchase_id as id, warehouse_id, parcel_id, purchase_number from label_purchases
     where status in ('pending', 'voiding') order by purchase_id`,
  );

const ToDoRow = { id: int, warehouse_id: int, parcel_id: int, purchase_number: int };

export interface LabelToDo extends OfWarehouse {
  parcel_id: number;
  purchase_number: number;
}

/** The bought labels of parcels that are not sent with them: voided ones, and those of orders that were taken back. */
export const needlessLabels = (): Promise<{ id: number }[]> =>
  db.rows(
    { id: int },
    `select purchase_id as id from parcels p join label_purchases l using (parcel_id)
     where l.status in ('pending', 'bought') and p.status = 'VOIDED' order by purchase_id`,
  );

const FileRow = { content: bytes, format: z.enum(["pdf", "zpl"]) };
export const labelFile = (purchaseId: number) =>
  db.row(FileRow, "select content, format from parcel_labels where purchase_id = $1", [purchaseId]);
