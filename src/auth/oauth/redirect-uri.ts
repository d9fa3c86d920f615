/** Where a program may be sent back to with its code: a site, or itself on the person's own computer (RFC 8252). */

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Whether it leads to a program on the computer of whoever follows it. */
export const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === "http:" && LOOPBACK.has(hostname);

/** Whether a program may register it: HTTPS, or the loopback address, without a fragment or a password. */
export function mayBeRegistered(uri: string): boolean {
  if (!URL.canParse(uri) || uri.includes("#")) return false;
  const url = new URL(uri);
  return (url.protocol === "https:" || isLoopback(url)) && !url.username && !url.password;
}

/** Whether it is one of these, letter by letter; on the loopback address any port will do (RFC 8252, 7.3). */
export function isRegistered(uri: string, registered: string[]): boolean {
  if (registered.includes(uri)) return true;
  if (!mayBeRegistered(uri) || !isLoopback(new URL(uri))) return false;
  return registered.some((known) => isLoopback(new URL(known)) && withoutPort(known) === withoutPort(uri));
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** The address with what the program is told. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
