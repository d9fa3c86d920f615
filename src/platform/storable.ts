/** For `JSON.stringify`: Postgres can store neither NUL nor half of a surrogate pair, so they are left out. */
export const storable = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\0|\p{Cs}/gu, "") : value;
