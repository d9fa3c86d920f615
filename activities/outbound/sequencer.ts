import { int } from "../../src/platform/db/columns.js";
import { transaction, WITHOUT_LIMITS } from "../../src/platform/db/db.js";

/** One batch; a second one follows at once when it was full. */
const BATCH = 1_000;
/** Advisory locks: only one process at a time numbers events, and only one seals audit rows. */
export const NUMBERING_LOCK = 7_301;
const SEALING_LOCK = 7_302;

/**
 * Numbers up to $1 waiting events, in one statement of the holder of NUMBERING_LOCK. Its snapshot contains exactly the
 * effects of the events up to `newest.last_no`; `newest` has one row, with how many events were numbered. For each
 * event it writes the envelope that partners get, with the ids in `data` replaced by those of the other system where it
 * has its own (docs/interface.md, Events). The epoch is a subquery, so that it is looked up once. A trigger notifies
 * listeners. The ids are put in here and not by a function, which would be called for each event and run a query of its
 * own.
 */
export const NUMBER_WAITING = `
  waiting as materialized (
    select outbox_id, payload::text as data, last_no + row_number() over (order by outbox_id) as event_id
    from (select outbox_id, payload from integration_events where event_id is null order by outbox_id limit $1) w,
         sequencer_state where name = 'events'
  ), known as materialized (
    select source_ids(array(select distinct id from waiting, named_ids(data) id)) as ids
    where exists (select from cross_system_mappings)
  ), numbered as (
    update integration_events e
    set event_id = waiting.event_id, visible_at = statement_timestamp(), payload = null,
        envelope = event_envelope(e, waiting.event_id, case when ids is null then data else (
          select string_agg(case when place = 1 then part
              when substr(part, 37, 1) = '"' and ids ? left(part, 36)
                then '_external_id":' || (ids->left(part, 36))::text || substr(part, 38)
              else '_external_id":"' || part end, '' order by place)
          from string_to_table(data, '_external_id":"') with ordinality as parts(part, place)
        ) end, (select current_epoch()))
    from waiting left join known on true where e.outbox_id = waiting.outbox_id returning e.event_id
  ), newest as (
    select last_no + done.count as last_no, done.count
    from sequencer_state, (select count(*) from numbered) done where name = 'events'
  ), advanced as (
    update sequencer_state s set last_no = newest.last_no from newest where name = 'events' and newest.count > 0
  )`;

/**
 * Numbers all events that wait (docs/house.md). `event_id` is dense, and a reader that has seen n never later finds one
 * below n, because numbers are given after commit, under one lock.
 */
export function sequenceAll(): Promise<number> {
  return drain(NUMBERING_LOCK, `with ${NUMBER_WAITING} select count from newest`);
}

/**
 * Seals all audit rows that wait into the hash chain (docs/house.md): seal_no is dense, each row's hash covers the row
 * and the hash before it, and the last hash is kept apart, so that no row can be changed, taken out or put in
 * unnoticed. The rows themselves stay as they are, as a change would write all their indexes anew.
 */
export function sealAll(): Promise<number> {
  return drain(
    SEALING_LOCK,
    `with waiting as (
       delete from audit_unsealed where ctid = any(array(select ctid from audit_unsealed limit $1)) returning log_id
     ), numbered as (
       select log_id, head, seal_no, audit_line(seal_no, a) as line
       from (select a, log_id, head, last_no + row_number() over (order by log_id) as seal_no
             from waiting join audit_log a using (log_id), sequencer_state where name = 'audit_seals') w
     ), chained as (
       select log_id, head, seal_no, audit_chain(head, line) over (order by seal_no) as row_hash from numbered
     ), sealed as (
       insert into audit_seals (seal_no, log_id, prev_hash, row_hash)
       select seal_no, log_id, lag(row_hash, 1, head) over (order by seal_no), row_hash from chained
       returning seal_no, row_hash
     )
     update sequencer_state set last_no = newest.seal_no, head = newest.row_hash
     from (select seal_no, row_hash, count(*) over () from sealed order by seal_no desc limit 1) newest
     where name = 'audit_seals' returning newest.count`,
  );
}

/** Runs a statement, batch after batch, until it finds no full one; gives how many rows it did. */
async function drain(lock: number, statement: string): Promise<number> {
  let total = 0;
  for (let done = BATCH; done === BATCH; total += done) {
    done = await transaction(async (tx) => {
      tx.later.run(WITHOUT_LIMITS);
      tx.later.run("select pg_advisory_xact_lock($1)", [lock]);
      // A statement of its own: it sees all that was committed before the lock was got.
      return (await tx.row({ count: int }, statement, [BATCH]))?.count ?? 0;
    });
  }
  return total;
}
