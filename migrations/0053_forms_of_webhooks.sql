-- What a webhook sends may be thin, a CloudEvent, or many events at a time.

alter table webhook_subscriptions
  add column payload varchar(8) not null default 'full' check (payload in ('full', 'thin')),
  add column format varchar(32) not null default 'envelope'
    check (format in ('envelope', 'cloudevents-binary', 'cloudevents-structured')),
  add column batch jsonb;
comment on column webhook_subscriptions.payload is 'thin: what happened to which record, and where to fetch the rest.';
comment on column webhook_subscriptions.batch is
  'How many events one request has at most, and how long the first of them waits for others; null: one each.';
