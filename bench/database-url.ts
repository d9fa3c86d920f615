/** The URL of another database on the same server. */
export function databaseUrlOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
