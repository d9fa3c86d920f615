/** SQL: the code of a parcel that its label has and scanners read. */
export const PARCEL_CODE = (parcelId: string): string => `'PCL-' || ${parcelId}`;

const LARGEST_ID = 2_147_483_647;

/** The parcel that a scanned code names; undefined for any other code. */
export function parcelOfCode(code: string): number | undefined {
  const [, id] = /^PCL-(\d{1,10})$/i.exec(code.trim()) ?? [];
  return id === undefined || Number(id) > LARGEST_ID ? undefined : Number(id);
}
