/** SQL of a time as stations get it: to the microsecond, with `Z` (docs/interface.md, Shipping station). */
export const zulu = (time: string): string => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
