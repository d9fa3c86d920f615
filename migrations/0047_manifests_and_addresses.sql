-- Further manifests of a collection: of what is loaded after one was asked for, and of what one cannot take. Labels know
-- the address that they were bought with, and why their parcel is sent.

alter table carrier_collections
  add column manifest_number integer not null default 1 check (manifest_number > 0);
comment on column carrier_collections.manifest_number is
  'Which of its manifests key, asking_at, remote_id and attempts are of; those before it are made.';

alter table label_purchases
  add column manifest_number integer not null default 1,
  add column sent_to jsonb,
  add column customs_contents varchar(24) check (customs_contents in ('sale_of_goods', 'gift', 'documents',
    'commercial_sample', 'returned_goods', 'other'));
comment on column label_purchases.manifest_number is 'Which manifest of manifested_with has it.';
comment on column label_purchases.sent_to is
  'The address of the order, as it was when the carrier was told; null for labels that were bought by hand, or earlier.';

comment on column label_purchases.customs_contents is 'Why its parcel is sent, for customs; null: a sale of goods.';

alter table collection_manifests
  add column manifest_number integer not null default 1,
  drop constraint collection_manifests_pkey,
  add primary key (collection_id, manifest_number);
