-- A partner whose answer is 410 has ended its webhook; who is told of that; and keys that are no shared secrets.

alter table webhook_subscriptions drop constraint webhook_subscriptions_pause_reason_check;
alter table webhook_subscriptions add constraint webhook_subscriptions_pause_reason_check
  check (pause_reason in ('manual', 'pending_ceiling', 'dlq_ceiling', 'malformed_filter', 'gone'));

alter table webhook_subscriptions
  add column contact_webhook_id integer references notification_webhooks on delete set null;
comment on column webhook_subscriptions.contact_webhook_id is
  'The notification destination by which the partner is told of its webhook; null where it is not.';
create index webhook_subscriptions_contact on webhook_subscriptions (contact_webhook_id)
  where contact_webhook_id is not null;

create table webhook_keys (
  subscription_id uuid        not null references webhook_subscriptions on delete cascade,
  kind            varchar(16) not null check (kind in ('signing', 'signing_before', 'client_tls', 'oauth')),
  shown           jsonb       not null,
  sealed          text        not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz,
  primary key (subscription_id, kind),
  constraint webhook_keys_old_one_expires check ((kind = 'signing_before') = (expires_at is not null))
);
comment on table webhook_keys is
  'What a webhook signs with beside its shared secret, and shows to its partner when it connects.';
comment on column webhook_keys.shown is 'What everybody may see of it, such as the public key.';
comment on column webhook_keys.sealed is 'The rest, under SERVICE_ENCRYPTION_KEY.';
