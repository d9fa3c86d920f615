import { createHash } from "node:crypto";
import { progress } from "./terminal.js";

const STALLED_MS = 20_000;

/**
 * Downloads a URL and shows the progress. Fails when nothing arrives for a while. A user in the URL is sent as Basic.
 */
export async function download(
  address: string | URL,
  { what, stalledMs = STALLED_MS }: { what?: string; stalledMs?: number } = {},
): Promise<Buffer> {
  const url = new URL(address);
  const headers: Record<string, string> = {};
  if (url.username) {
    const user = decodeURIComponent(`${url.username}:${url.password}`);
    headers.authorization = `Basic ${Buffer.from(user).toString("base64")}`;
    url.username = url.password = "";
  }
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error(`nothing came for ${stalledMs / 1000} s`)), stalledMs);
  try {
    const answer = await fetch(url, { headers, signal: stalled.signal });
    if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
    const total = Number(answer.headers.get("content-length") ?? 0);
    const show = what ? progress(what, total) : () => {};
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      bytes += chunk.length;
      show(bytes);
      timer.refresh();
    }
    return Buffer.concat(chunks);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new Error(`${url}: ${why}`);
  } finally {
    clearTimeout(timer);
  }
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
