import { z } from "zod";
import { mayBeRegistered } from "./redirect-uri.js";

/** What a program says of itself: as it registers (RFC 7591), or at the address that is its `client_id`. */

export const ClientMetadata = z.object({
  // Without letters that are not seen, or turn those around them.
  client_name: z
    .string()
    .trim()
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, "Expected 1 to 100 visible characters")
    .optional(),
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
});

/** A program that is known by the address of its metadata, or by an id that it was given as it registered. */
export interface KnownClient {
  client_id: string;
  client_name: string;
  redirect_uris: string[];
}

/** Whether an id is the address of its metadata, and not one of those that are given to programs as they register. */
export const isMetadataAddress = (clientId: string): boolean => /^https?:/i.test(clientId);

/** What is wrong with such an address (draft-ietf-oauth-client-id-metadata-document-00, 3), if anything is. */
export function faultOfAddress(clientId: string, allowHttp: boolean): "address" | undefined {
  if (!URL.canParse(clientId)) return "address";
  const { protocol, pathname, username, password, href } = new URL(clientId);
  const isSecure = protocol === "https:" || allowHttp;
  // What a URL is normalized to is what is fetched: dots in the path, another case or port would name it twice.
  const isExact = href === clientId && !clientId.includes("#") && pathname !== "/";
  return isSecure && isExact && !username && !password ? undefined : "address";
}

const Document = ClientMetadata.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal("none").optional(),
  client_secret: z.undefined().optional(),
});

/** The program that a document describes, or why it describes none. */
export function clientOf(clientId: string, text: string): KnownClient | "not_json" | "not_its_own" | "metadata" {
  const read = parsed(text);
  if (read === undefined) return "not_json";
  const { data } = Document.safeParse(read);
  if (!data?.redirect_uris.every(mayBeRegistered)) return "metadata";
  // Else anybody's document would speak for anybody.
  if (data.client_id !== clientId) return "not_its_own";
  const { client_name = new URL(clientId).host, redirect_uris } = data;
  return { client_id: clientId, client_name: client_name.slice(0, 100), redirect_uris };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
