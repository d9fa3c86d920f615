-- Seals of audit rows, in a table that is only added to.
-- While they stood in the rows themselves, each seal wrote its row and all indexes of the log anew.

-- The lock under which rows are sealed: what is copied stays all there is until this is committed.
select pg_advisory_xact_lock(7302);

create table audit_seals (
  seal_no   bigint not null,
  log_id    bigint not null,
  prev_hash bytea  not null,
  row_hash  bytea  not null
);
insert into audit_seals
select seal_no, log_id, coalesce(prev_hash, ''), row_hash from audit_log where seal_no is not null order by seal_no;
alter table audit_seals
  add constraint audit_seals_pkey primary key (seal_no),
  add constraint audit_seals_once unique (log_id);
comment on table audit_seals is
  'Append-only: the place of an audit row in the hash chain, and the hash over it and the one before. Written by the '
  'sequencer, in batches.';
comment on column audit_seals.prev_hash is 'row_hash of the row sealed before.';

create table audit_unsealed (
  log_id bigint not null
);
comment on table audit_unsealed is
  'Rows of the audit log that wait for their seal. Without an index: it is short, and written by every command.';

insert into sequencer_state (name, last_no, head)
select 'audit_seals', last_no, head from sequencer_state where name = 'audit';

-- From here on whoever writes waits for the end of this, so all that is slow stands above.
-- 0.3.0 seals rows without a hash: it finds none that is written from now on.
alter table audit_log drop constraint audit_log_sealed_whole, alter row_hash set default '';
insert into audit_unsealed select log_id from audit_log where row_hash is null order by log_id;
comment on table audit_log is
  'Append-only. The sequencer seals committed rows later, in batches (audit_seals), in an order that is not that of '
  'log_id.';
comment on column audit_log.seal_no is
  'Of rows that were sealed before there was audit_seals, which has it too; for 0.3.0. It goes with the release after '
  'this one, and so do prev_hash and row_hash.';
comment on column audit_log.prev_hash is null;

create function audit_log_to_seal() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.log_id);
  return null;
end
$$;
create trigger audit_log_to_seal after insert on audit_log
  for each row
  execute function audit_log_to_seal();

create or replace function audit_log_refuse_change() returns trigger language plpgsql as $$
declare
  unsealed audit_log;
begin
  if tg_op = 'UPDATE' then
    unsealed := new;
    unsealed.seal_no := null;
    unsealed.prev_hash := null;
    unsealed.row_hash := null;
    -- Equal byte for byte but for a first seal: 0.3.0 seals the row, which is left to this release.
    if unsealed operator(pg_catalog.*=) old and new.row_hash is not null then
      return null;
    end if;
  end if;
  if tg_op = 'DELETE' and exists (
    select from audit_seals s where s.log_id = old.log_id and s.seal_no <= retired_to('audit_log')
  ) then
    return old;
  end if;
  raise exception 'audit_log is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;

create function audit_seals_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.seal_no <= retired_to('audit_log') then
    return old;
  end if;
  raise exception 'audit_seals is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_seals_append_only before delete or update on audit_seals
  for each row
  execute function audit_seals_refuse_change();
create trigger audit_seals_no_truncate before truncate on audit_seals
  for each statement
  execute function audit_seals_refuse_change();

create or replace function delete_retired_audit(after bigint, most integer, out upto bigint, out removed integer)
  language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  select max(seal_no) into upto
  from (select s.seal_no from audit_seals s join audit_log a using (log_id)
        where s.seal_no > after and s.seal_no <= retired_to('audit_log') and a.created_at < now() - interval '90 days'
        order by s.seal_no limit most) oldest;
  delete from audit_log a using audit_seals s
  where s.log_id = a.log_id and s.seal_no > after and s.seal_no <= upto;
  get diagnostics removed = row_count;
  delete from audit_seals where seal_no > after and seal_no <= upto;
end
$$;
