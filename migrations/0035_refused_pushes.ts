import type { Knex } from "knex";

// Refused pushes can be opened: each has an id among the pushes of its resource, the payload, and the answer it got.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table inbound_refusals
      add column inbound_id bigint,
      add column source_payload jsonb,
      add column answer jsonb;
    create function inbound_refusals_number() returns trigger language plpgsql as $$
    begin
      new.inbound_id := coalesce(new.inbound_id, nextval(('inbound_' || new.resource || '_inbound_id_seq')::regclass));
      return new;
    end
    $$;
    comment on function inbound_refusals_number is
      'From the numbers of accepted pushes of the resource, so that none of those has the same.';
    update inbound_refusals set inbound_id = nextval(('inbound_' || resource || '_inbound_id_seq')::regclass);
    create trigger inbound_refusals_number before insert on inbound_refusals
      for each row execute function inbound_refusals_number();
    alter table inbound_refusals
      alter column inbound_id set not null,
      add constraint inbound_refusals_one_per_id unique (resource, inbound_id);
    comment on column inbound_refusals.source_payload is
      'As it came. Null where the same version was refused again later: that row has it.';
    comment on column inbound_refusals.answer is
      'What the sender was told. Null for what was refused before this column was there.';
    create index inbound_refusals_payloads on inbound_refusals (source_system, external_id)
      where source_payload is not null;
    comment on index inbound_refusals_payloads is 'To find the earlier refusals of a version that have its payload.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger inbound_refusals_number on inbound_refusals;
    drop function inbound_refusals_number;
    alter table inbound_refusals drop column inbound_id, drop column source_payload, drop column answer;
  `);
}
