-- In which order a webhook gets its events.

alter table webhook_subscriptions
  add column ordering varchar(16) not null default 'subscription'
    constraint webhook_subscriptions_ordering_check check (ordering in ('subscription', 'aggregate'));
comment on column webhook_subscriptions.ordering is
  'subscription: one event after the other; aggregate: those of one aggregate one after the other, beside those of '
  'others.';
