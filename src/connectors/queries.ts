import { z } from "zod";
import { text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { MaskedCredential } from "./credential-shapes.js";

const SealedCredential = z.strictObject({ key: text, sealed: text });
type SealedCredential = z.infer<typeof SealedCredential>;

/** The stored configuration of a connector for a warehouse, encrypted. */
export const sealedCredentials = (connector: string, warehouseId: number): Promise<SealedCredential[]> =>
  db.rows(
    SealedCredential,
    `select credential_key as key, encrypted_value as sealed from connector_credentials
     where connector_name = $1 and warehouse_id = $2 order by credential_key`,
    [connector, warehouseId],
  );

/** The names of the stored fields of a configuration, without the values. */
export const maskedCredentials = (connector: string, warehouseId: number): Promise<MaskedCredential[]> =>
  db.rows(
    MaskedCredential,
    `select credential_key as key, '****' as value, created_at, updated_at from connector_credentials
     where connector_name = $1 and warehouse_id = $2 order by credential_key`,
    [connector, warehouseId],
  );

export const warehouseExists = async (warehouseId: number): Promise<boolean> =>
  (await db.row({}, "select from warehouses where warehouse_id = $1", [warehouseId])) !== undefined;
