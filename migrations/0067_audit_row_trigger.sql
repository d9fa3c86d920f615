-- One trigger of audit rows in place of two. Postgres reads the condition of a trigger anew for each statement: that of
-- audit_log_books, which is hardly ever true, took longer than what the other one does.

create function audit_log_note() returns trigger language plpgsql as $$
begin
  insert into audit_unsealed values (new.log_id);
  if new.action_type in ('POS_CHECKOUT', 'POS_REFUND') and new.entity_type = 'SO' then
    perform book_as_logged(new);
  end if;
  return null;
end
$$;
comment on function audit_log_note() is
  'Each row waits for its seal. The bookings are for processes of the release before: while they are replaced, tills '
  'book in the audit log alone.';

drop trigger audit_log_books on audit_log;
drop trigger audit_log_to_seal on audit_log;
create trigger audit_log_note after insert on audit_log
  for each row
  execute function audit_log_note();
drop function book_from_log();
drop function audit_log_to_seal();
