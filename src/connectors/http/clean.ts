/** The longest text that people are told of a source (docs/interface.md, Limits). */
const LONGEST = 500;
/** No more of a text is looked at: messages of errors quote whatever a source sent. */
const MOST_CLEANED = 64 * 1024;
/** Shorter texts stand by chance in any message, and protect nothing. */
const SHORTEST_SECRET = 4;

/** A secret as it may stand in a text: as it is, within JSON, within a URL, within a header. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), bytes.toString("base64")],
    ...[encodeURIComponent(bytes.toString()), new URLSearchParams({ "": bytes.toString() }).toString().slice(1)],
  ];
}

/**
 * Makes a text fit to be shown: without these secrets, printable ASCII with tabs and line breaks, at most 500
 * characters (docs/interface.md, Connectors).
 */
export function cleaned(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap(formsOf)
    .sort((a, b) => b.length - a.length);
  const hidden = forms.reduce((so, form) => so.replaceAll(form, "***"), text.slice(0, MOST_CLEANED));
  return hidden.replace(/[^\t\n\x20-\x7e]/g, "").slice(0, LONGEST);
}
