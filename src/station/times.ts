/** SQL of a time as stations get it: to the microsecond, with `Z` (reference 07 §1). */
export const zulu = (time: string): string => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
