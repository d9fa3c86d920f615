-- In which condition units of a return came back.

alter table item_receipts add column condition text check (condition in ('HOLD', 'QUARANTINE', 'DAMAGED'));
comment on column item_receipts.condition is
  'Of a return: what its units were put in as they came; null where they were sold again at once.';
