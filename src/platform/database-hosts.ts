/**
 * A database URL may name several hosts, as libpq takes them: `postgres://me:secret@one:5432,two:5432/warehouse`.
 * One of them is the primary; after a failover it is another one.
 */

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** The same URL for each of its hosts alone. */
export function urlsOf(url: string): string[] {
  const [, before, hosts, rest] = PARTS.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => `${before}${host}${rest}`);
}

/** By URL, how often another host had to be taken. */
const changes = new Map<string, number>();

/** The URL of the host that was the primary last. */
export function urlOfPrimary(url: string): string {
  const urls = urlsOf(url);
  return urls[(changes.get(url) ?? 0) % urls.length] as string;
}

/** Takes the next host, unless somebody has done so since this one was tried. */
export function leaveHost(url: string, tried: string): void {
  if (tried === urlOfPrimary(url)) changes.set(url, (changes.get(url) ?? 0) + 1);
}
