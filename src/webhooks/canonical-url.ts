/**
 * A delivery URL as it is compared with those of deleted subscriptions (reference 05 §2): scheme and host in lower case, no default
 * port, no fragment, no trailing slash behind a path; query and user-info as they are.
 */
export function canonicalUrl(text: string): string {
  const url = new URL(text);
  url.hash = "";
  url.pathname = url.pathname.replace(/\/$/, "");
  return url.href;
}
