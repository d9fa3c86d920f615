import { z } from "zod";

/** The name and version of an agent's program, as it gives them. */

const ClientInfo = z.object({ name: z.string(), version: z.string().optional() });
type ClientInfo = z.infer<typeof ClientInfo>;

const MOST_CHARACTERS = 200;

/** For people: one line, without characters that a log or a page would show as something else. */
export function nameOf(info: unknown): string | undefined {
  const { data } = ClientInfo.safeParse(info);
  const plain = data && `${data.name} ${data.version ?? ""}`.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "").trim();
  return plain?.slice(0, MOST_CHARACTERS) || undefined;
}

/**
 * Programs of before 2026 say it once, as they begin: they carry it along as the id of their session, so no process has
 * to remember it.
 */
export function sessionOf(body: unknown): string | undefined {
  const { method, params } = body as { method?: unknown; params?: { clientInfo?: unknown } };
  const { data } = ClientInfo.safeParse(params?.clientInfo);
  if (method !== "initialize" || !data) return undefined;
  const { name, version }: ClientInfo = data;
  const short = { name: name.slice(0, MOST_CHARACTERS), version: version?.slice(0, MOST_CHARACTERS) };
  return Buffer.from(JSON.stringify(short)).toString("base64url");
}

/** What the id of a session says. */
export function clientIn(session: string | undefined): unknown {
  if (!session || session.length > 2_000) return undefined;
  try {
    return JSON.parse(Buffer.from(session, "base64url").toString());
  } catch {
    return undefined;
  }
}
