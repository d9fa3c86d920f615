/** pg's own way of writing a value for Postgres, which its types leave out; query classes of one's own need it. */
declare module "pg/lib/utils.js" {
  export function prepareValue(value: unknown): string | Buffer | null;
}
