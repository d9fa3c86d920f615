import type { EncryptionKeys } from "../../src/auth/sealed.js";
import { CarrierAccountExists, CarrierAccountNotFound, CarrierAccountUsed } from "../../src/carriers/problems.js";
import { ACCOUNT } from "../../src/carriers/queries.js";
import { carrierNamed } from "../../src/carriers/registry.js";
import { CarrierAccount, type CarrierAccountChanges, type NewCarrierAccount } from "../../src/carriers/shapes.js";
import { changedConfig, checkedConfig, openConfig, sealConfig } from "../../src/carriers/stored-config.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, refusingReferenced, withChanges } from "../edit.js";
import { checkWarehouseExists } from "../master-data/warehouses.js";

/** Sets an account with a carrier up (docs/carriers.md). */
export function createCarrierAccount(
  { config, ...input }: NewCarrierAccount,
  keys: EncryptionKeys,
  by: Actor,
): Promise<CarrierAccount> {
  return command("carriers.create", by, { ...input, fields: Object.keys(config) }, async (tx) => {
    const carrier = carrierNamed(input.carrier);
    await checkWarehouseExists(tx, input.warehouse_id);
    checkedConfig(carrier, config);
    const next = "select nextval(pg_get_serial_sequence('carrier_accounts', 'account_id'))::int as id";
    const { id } = (await tx.row({ id: int }, next, [])) as { id: number };
    const made = (await refusingDuplicate(
      tx.row(
        CarrierAccount,
        `insert into carrier_accounts as a (account_id, warehouse_id, account_name, carrier, config_sealed, ship_from,
           label_format, check_address, collection_at, collection_days, scan_out)
         values (:id, :warehouse_id, :account_name, :carrier, :sealed, :ship_from, :label_format,
           :check_address, :collection_at, :collection_days, :scan_out)
         returning ${ACCOUNT}`,
        { ...input, id, sealed: sealConfig(id, config, keys), ship_from: JSON.stringify(input.ship_from) },
      ),
      CarrierAccountExists({ account_name: input.account_name }),
    )) as CarrierAccount;
    const { warehouse_id: _, ...fields } = input;
    tx.audit({ action: "CREATE", ...entityOf(made), details: { ...fields, set: Object.keys(config) } });
    return made;
  });
}

/** Changes the sent fields of an account, which stays with its carrier and in its warehouse. */
export function updateCarrierAccount(
  account_id: number,
  { config: sent, ...changes }: CarrierAccountChanges,
  keys: EncryptionKeys,
  by: Actor,
): Promise<CarrierAccount> {
  const input = { account_id, ...changes, fields: Object.keys(sent ?? {}) };
  return command("carriers.update", by, input, async (tx) => {
    const { config_sealed, ...before } = await lockAccount(tx, account_id);
    const carrier = carrierNamed(before.carrier);
    const after = withChanges(before, changes);
    const config = sent && changedConfig(carrier, openConfig(account_id, config_sealed, keys), sent);
    if (config) checkedConfig(carrier, config);
    const written = (await refusingDuplicate(
      tx.row(
        CarrierAccount,
        `update carrier_accounts as a
         set account_name = :account_name, config_sealed = :sealed, ship_from = :ship_from,
             label_format = :label_format, check_address = :check_address, collection_at = :collection_at,
             collection_days = :collection_days, scan_out = :scan_out, is_active = :is_active, updated_at = now()
         where account_id = :account_id returning ${ACCOUNT}`,
        {
          ...after,
          sealed: config ? sealConfig(account_id, config, keys) : config_sealed,
          ship_from: JSON.stringify(after.ship_from),
        },
      ),
      CarrierAccountExists({ account_name: after.account_name }),
    )) as CarrierAccount;
    const details = sent ? { config: `changed: ${Object.keys(sent).join(", ")}` } : {};
    auditEdit(
      tx,
      { ...entityOf(before), details },
      { ...before, config: null },
      { ...after, config: sent ? "" : null },
    );
    return written;
  });
}

/** Deletes an account that no label was bought with, with the rules that name it. */
export function deleteCarrierAccount(account_id: number, by: Actor): Promise<{ message: string }> {
  return command("carriers.delete", by, { account_id }, async (tx) => {
    const account = await lockAccount(tx, account_id);
    const { account_name, carrier } = account;
    await refusingReferenced(
      tx.run("delete from carrier_accounts where account_id = $1", [account_id]),
      CarrierAccountUsed(),
    );
    tx.audit({ action: "DELETE", ...entityOf(account), details: { account_name, carrier } });
    return { message: `Carrier account ${account_name} deleted` };
  });
}

const LockedRow = { ...CarrierAccount.shape, config_sealed: text };

async function lockAccount(tx: Tx, accountId: number) {
  const sql = `select ${ACCOUNT}, a.config_sealed from carrier_accounts a where account_id = $1 for update of a`;
  const account = await tx.row(LockedRow, sql, [accountId]);
  if (!account) throw CarrierAccountNotFound();
  return account;
}

const entityOf = ({ account_id, warehouse_id }: Pick<CarrierAccount, "account_id" | "warehouse_id">) => ({
  entity: "CARRIER_ACCOUNT",
  entityId: account_id,
  warehouseId: warehouse_id,
});
