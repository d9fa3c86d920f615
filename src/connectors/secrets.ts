/** The owner that a credential is sealed for. */
export const credentialOwner = (connector: string, warehouseId: number, key: string): string =>
  `connector_credential:${connector}:${warehouseId}:${key}`;
