import { db } from "../db/db.js";

export interface SealedCredential {
  key: string;
  sealed: string;
}

/** The stored configuration of a connector for a warehouse, encrypted. */
export const sealedCredentials = (connector: string, warehouseId: number): Promise<SealedCredential[]> =>
  db.rows<SealedCredential>(
    `select credential_key as key, encrypted_value as sealed from connector_credentials
     where connector_name = $1 and warehouse_id = $2 order by credential_key`,
    [connector, warehouseId],
  );
