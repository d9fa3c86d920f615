import type { Knex } from "knex";

// Ids of source systems are linked to records that are here already, and unlinked: which version is the current one
// is a matter of an id and the record that it names.

const resources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"];

const versions = (columns: string) =>
  resources
    .map(
      (resource) => `
    alter table inbound_${resource} add constraint inbound_${resource}_one_per_version unique (${columns});`,
    )
    .join("");

const current = (columns: string) =>
  resources
    .map(
      (resource) => `
    drop index inbound_${resource}_current;
    create unique index inbound_${resource}_current on inbound_${resource} (${columns}) where status = 'applied';
    comment on index inbound_${resource}_current is
      'A record has one current version, whoever sends at the same time.';`,
    )
    .join("");

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table cross_system_mappings add column shared boolean not null default false;
    comment on column cross_system_mappings.shared is
      'The source may call the record by other ids too, as shops do with variants that have the same SKU.';
    update cross_system_mappings m set shared = true
    where exists (select from cross_system_mappings o
                  where o.canonical_id = m.canonical_id and o.source_system = m.source_system
                    and o.mapping_id < m.mapping_id);
    create unique index cross_system_mappings_one_per_source on cross_system_mappings (canonical_id, source_system)
      where not shared;

    -- The constraint has a name that Postgres made, cut where it is too long.
    do $$
    declare
      made record;
    begin
      for made in select conrelid::regclass as of, conname from pg_constraint
                  where contype = 'u' and conrelid = any('{${resources.map((one) => `inbound_${one}`)}}'::regclass[])
      loop
        execute format('alter table %s drop constraint %I', made.of, made.conname);
      end loop;
    end $$;
    ${versions("source_system, external_id, external_version, canonical_id")}
    ${current("source_system, external_id, canonical_id")}

    create index customers_email on customers (email) where email is not null;
  `);
}

/** Of an id that named several records, the pushes of the newest remain. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index customers_email;
    ${resources
      .map(
        (resource) => `
    delete from inbound_${resource} r
    where exists (select from inbound_${resource} o
                  where o.source_system = r.source_system and o.external_id = r.external_id
                    and o.canonical_id <> r.canonical_id and o.inbound_id > r.inbound_id);
    alter table inbound_${resource} drop constraint inbound_${resource}_one_per_version;
    alter table inbound_${resource} add unique (source_system, external_id, external_version);`,
      )
      .join("")}
    ${current("source_system, external_id")}
    drop index cross_system_mappings_one_per_source;
    alter table cross_system_mappings drop column shared;
  `);
}
