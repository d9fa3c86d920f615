/** The owner that the configuration of a carrier account is sealed for. */
export const configOwner = (accountId: number) => `carrier_account:${accountId}`;

/** The name that the circuit and the request rate of an account are kept under; no connector can have it. */
export const clientName = (accountId: number) => `carrier:${accountId}`;
