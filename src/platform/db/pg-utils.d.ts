/** Serializes a value for Postgres; pg's types leave it out, but custom query classes need it. */
declare module "pg/lib/utils.js" {
  export function prepareValue(value: unknown): string | Buffer | null;
}
