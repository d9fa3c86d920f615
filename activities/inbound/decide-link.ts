import { z } from "zod";
import { DuplicateKey } from "../../src/inbound/problems.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { DomainError } from "../../src/platform/problem.js";
import type { Tx } from "../command.js";
import { type Adoption, keyIn, lockKey, type Unknown } from "./adopt.js";
import { auditLink, StoredLink } from "./links.js";

/** What became of the link of an item of a shop. */
export interface Decided {
  /** What the shop calls it; kept with the version, to see when that changes. */
  said?: string;
  /** The link was removed, so the record is to be matched or created anew. */
  unlinked?: boolean;
  /** The question that a person has to decide, in the shop or here. */
  question?: DomainError;
}

const Found = z.strictObject({
  /** The SKU of the linked item; null for none. */
  linked: text.nullable(),
  /** The SKU in the shop's previous version. */
  said: text.nullable(),
  /** Whether the shop calls that item by other ids, too. */
  shared: bool,
  /** Whether systems other than this connector's link to it. */
  elsewhere: bool,
  /** The item with that SKU, and the other id of the shop that is linked to it. */
  there: text.nullable(),
  taken_by: text.nullable(),
});
type Found = z.infer<typeof Found>;

/** The column that identifies items. */
const identity = ["sku", "item_name", "upc"];

/**
 * Decides which item a shop's record is, by its SKU, when the record comes for the first time and whenever its SKU
 * changes: the item with that SKU, unless another id of the shop is linked to it. In that case the record gets an item
 * of its own; or, where the other id may be about to change, it loses its link. Either way a person is asked. An item
 * that several ids are linked to is renamed by none of them.
 */
export async function decideLink(
  tx: Tx,
  { resource, pushKey, stored, mapped }: Unknown,
  { by, own }: Adoption & { own: string },
  mayOwn: boolean,
): Promise<Decided> {
  const sku = keyIn(resource, by, mapped.values);
  if (sku === undefined) return {};
  const drop = (...names: string[]) => {
    for (const name of names) delete mapped.values[name];
  };
  const { source_system, external_id } = pushKey;
  const [, found] = await tx.inOrder([
    lockKey(tx, resource, by, sku),
    tx.row(Found, FOUND, { ...stored, source_system, external_id, sku }),
  ]);
  const { linked, said, shared, elsewhere, there, taken_by } = found as Found;
  const isLinked = stored.exists;
  const changed = isLinked && sku !== linked && (linked === own || (said !== null && said !== sku));
  if (isLinked && !changed) {
    // That one of several linked ids can't be sold says nothing about the others.
    if (shared) drop(...identity, ...(mapped.values.is_active === false ? ["is_active"] : []));
    else if (there !== null && sku !== linked) drop(by);
    return { said: sku, ...(shared && { question: DuplicateKey({ key: by, value: sku, other: "others" }) }) };
  }
  const unlink = async (): Promise<Decided> => {
    await unlinkOf(tx, pushKey, stored.canonical_id as string);
    return { said: sku, unlinked: true };
  };
  if (taken_by === null) {
    if (isLinked && (there !== null || shared || elsewhere)) return unlink();
    // The version that left the question was written already.
    if (stored.answer) await rename(tx, stored.canonical_id as string, sku);
    return { said: sku };
  }
  const question = DuplicateKey({ key: by, value: sku, other: taken_by });
  if (isLinked && linked !== own) return { ...(await unlink()), question };
  if (!isLinked && !mayOwn) throw question;
  if (isLinked) drop(by);
  else mapped.values[by] = own;
  return { said: sku, question };
}

// A link from a release that let several ids name one item is `shared`, also when the others have left it since.
const FOUND = `
  select (select sku from items where external_id = :canonical_id::uuid) as linked,
         (select canonical_payload->>'sku' from inbound_items where inbound_id = :current_id) as said,
         exists (select from cross_system_mappings
                 where canonical_id = :canonical_id and source_system = :source_system and source_id <> :external_id)
           or exists (select from cross_system_mappings m
                        join inbound_items i on i.source_system = :source_system
                          and i.canonical_id = :canonical_id and i.external_id <> :external_id
                      where m.canonical_id = :canonical_id and m.source_system = :source_system
                        and m.source_id = :external_id and m.shared) as shared,
         exists (select from cross_system_mappings
                 where canonical_id = :canonical_id and regexp_replace(source_system, '-\\d+$', '')
                                             <> regexp_replace(:source_system, '-\\d+$', '')) as elsewhere,
         j.external_id as there,
         (select source_id from cross_system_mappings
          where canonical_id = j.external_id and source_system = :source_system
            and source_id <> :external_id limit 1) as taken_by
  from (select) one left join items j on j.sku = :sku`;

async function rename(tx: Tx, canonicalId: string, sku: string): Promise<void> {
  const item = await tx.row(
    { item_id: int },
    "update items set sku = $2, updated_at = now() where external_id = $1 returning item_id",
    [canonicalId, sku],
  );
  if (item) tx.audit({ action: "UPDATE", entity: "ITEM", entityId: item.item_id, details: { sku } });
}

/** Unlinks the id from its item; links that were shared with it stay shared. */
async function unlinkOf(
  tx: Tx,
  { source_system, external_id }: Unknown["pushKey"],
  canonicalId: string,
): Promise<void> {
  const removed = await tx.row(
    StoredLink,
    `delete from cross_system_mappings where source_system = $1 and source_type = 'item' and source_id = $2
     returning mapping_id, source_system, source_type, source_id, canonical_id`,
    [source_system, external_id],
  );
  await tx.run("update cross_system_mappings set shared = true where source_system = $1 and canonical_id = $2", [
    source_system,
    canonicalId,
  ]);
  if (removed) auditLink(tx, "UNLINK", removed, null);
}
