import { type Actor, shownWarehouses, visibleWarehouses } from "../../platform/actor.js";
import { each } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { ANY_PAGE, sources } from "./kinds.js";
import { type Inbox, type InboxKind, InboxPart, inboxKinds, MOST_ENTRIES } from "./shapes.js";

/** Who asks, and of which warehouses; null is all of them. */
export interface InboxReader {
  userId: number;
  /** The pages of a key that opens some of its user's alone. */
  pages: string[] | null;
  warehouses: number[] | null;
  /** Those that the caller may see; null is all of them. */
  visible: number[] | null;
}

/** The caller, of one warehouse or of all that the caller may use. */
export const readerOf = (by: Actor, warehouseId?: number): InboxReader => ({
  userId: by.userId,
  pages: by.pageKeys ?? null,
  warehouses: warehouseId === undefined ? shownWarehouses(by) : [warehouseId],
  visible: visibleWarehouses(by),
});

export interface InboxFilter {
  kind?: InboxKind | undefined;
  record_id?: string | undefined;
  /** Only what is put off, or (by default) what is not; null is both. */
  snoozed?: boolean | null | undefined;
  /** Only what the caller has taken. */
  mine?: boolean | undefined;
  limit?: number | undefined;
}

const Parts = each(inboxKinds, InboxPart.omit({ kind: true }).nullable());

/** A kind that is not asked for, or that the caller has no page for, is not read. */
const part = (kind: InboxKind) => {
  const { page, rows } = sources[kind];
  const isTheirs = `(pages is null or ${page === ANY_PAGE ? "cardinality(pages) > 0" : `'${page}' = any(pages)`})`;
  return `(
    case when ${isTheirs} and coalesce(:kind::text = '${kind}', true) then (
      select json_build_object('total', count(*), 'entries', coalesce(json_agg(json_build_object(
          'record_id', record_id, 'label', label, 'name', name, 'reason', reason, 'detail', detail, 'units', units,
          'due', due, 'since', since, 'warehouse_id', warehouse_id, 'taken_by', taken_by,
          'snoozed_until', snoozed_until) order by place) filter (where place <= :limit::int), '[]'))
      from (
        select e.*, m.taken_by, m.snoozed_until, row_number() over (order by e.since, e.record_id) as place
        from (${rows}) e
        left join inbox_marks m on m.kind = '${kind}' and m.record_id = e.record_id and m.marked_at >= e.since
        where coalesce(coalesce(m.snoozed_until > now(), false) = :snoozed::boolean, true)
          and (not :mine::boolean or m.taken_user_id = :userId) and coalesce(e.record_id = :record_id::text, true)) e)
    end) as ${kind}`;
};

const READ = `
  select ${inboxKinds.map(part).join(",\n")}
  from (
    select case when :pages::text[] is not null then :pages::text[] when role = 'ADMIN' then null else array(
      select page_key::text from user_page_permissions p where p.user_id = u.user_id) end as pages
    from users u where user_id = :userId::int) caller`;

/** What needs a person, of each kind that the caller has the page for the oldest entries. One round trip. */
export async function inbox(reader: InboxReader, filter: InboxFilter = {}, sql: Sql = db): Promise<Inbox> {
  const { kind = null, record_id = null, snoozed = false, mine = false, limit = MOST_ENTRIES } = filter;
  const found = await sql.row(Parts, READ, { ...reader, kind, record_id, snoozed, mine, limit });
  const parts = inboxKinds.flatMap((name) => {
    const its = found?.[name];
    return its ? [{ kind: name, ...its }] : [];
  });
  return { total: parts.reduce((sum, { total }) => sum + total, 0), parts };
}
