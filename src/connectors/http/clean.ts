/** The longest text of a source that is shown to people (docs/interface.md, Limits). */
const LONGEST = 500;
/** The longest text that is examined: error messages quote anything that a source sent. */
const MOST_CLEANED = 64 * 1024;
/** Shorter texts occur in any message by chance, and protect nothing. */
const SHORTEST_SECRET = 4;

/** The forms in which a secret may occur in a text: as it is, within JSON, within a URL, within a header. */
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
