-- What carriers and customs ask of an item.

alter table items
  add is_hazardous        boolean    not null default false,
  add hs_code             varchar(12),
  add origin_country      varchar(2) check (origin_country ~ '^[A-Z]{2}$'),
  add customs_value_minor integer    check (customs_value_minor >= 0),
  add customs_currency    varchar(3) check (customs_currency ~ '^[A-Z]{3}$');
comment on column items.is_hazardous is 'Dangerous goods, which not every carrier takes.';
comment on column items.hs_code is 'Number of the customs tariff, 6 to 10 digits, with or without points.';
comment on column items.origin_country is 'Where it was made: ISO 3166, two letters.';
comment on column items.customs_value_minor is 'What one unit is worth, in the smallest unit of the currency.';
