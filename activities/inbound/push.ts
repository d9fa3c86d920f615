import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { documentOf } from "../../src/inbound/documents.js";
import { mapInThread, mapSoon, TakesLong } from "../../src/inbound/map-payload.js";
import { MappingNotLoaded } from "../../src/inbound/problems.js";
import { earlierAnswer } from "../../src/inbound/queries.js";
import type { Push, Written } from "../../src/inbound/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { adoptionIn } from "./adopt.js";
import { senderOfToken } from "./incoming.js";
import { writeRecord } from "./write-record.js";

/**
 * Writes a record that a token pushes (docs/interface.md, Inbound), translated by the mapping document of its source
 * system.
 */
export async function writePush(
  resource: Resource,
  push: Push,
  token: Token,
  by: Actor,
): Promise<{ written: Written; repeated: boolean }> {
  const sender = senderOfToken(token);
  const { source_system } = sender;
  const document = documentOf(source_system);
  const mapping = document?.resources[resource];
  if (!document || !mapping) throw MappingNotLoaded({ source_system, resource });
  // Most repeats end here, without a transaction.
  const earlier = await earlierAnswer(resource, { ...push, source_system });
  if (earlier) return { written: earlier, repeated: true };
  const sent = { resource, push, sender, versions: document.version_compare, adoption: adoptionIn(mapping) };
  const payload = push.source_payload;
  try {
    return await writeRecord({ ...sent, mapped: () => mapSoon(mapping, payload) }, by);
  } catch (error) {
    if (!(error instanceof TakesLong)) throw error;
  }
  const work = { source_system, document: document.raw, resource, payload };
  const { mapped } = await mapInThread(work, { key: source_system });
  if (!mapped) throw MappingNotLoaded({ source_system, resource });
  return writeRecord({ ...sent, mapped }, by);
}
