/** SQL: the code of a parcel that its label has and scanners read. */
export const PARCEL_CODE = (parcelId: string): string => `'PCL-' || ${parcelId}`;

/** The parcel that a scanned code names; undefined for any other code. */
export function parcelOfCode(code: string): number | undefined {
  const [, id] = /^PCL-(\d{1,10})$/i.exec(code.trim()) ?? [];
  return id === undefined ? undefined : Number(id);
}
