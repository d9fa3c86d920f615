import { canonicalHost } from "../wire/connections.js";

/**
 * A delivery URL as it is compared with those of deleted subscriptions (docs/interface.md, Webhooks): scheme and host
 * in lower case, no dot behind the host, no default port, no fragment, no trailing slash behind a path; query and user-
 * info as they are.
 */
export function canonicalUrl(text: string): string {
  const url = new URL(text);
  url.hostname = canonicalHost(url.hostname);
  url.hash = "";
  url.pathname = url.pathname.replace(/\/$/, "");
  return url.href;
}
