-- Days, hours and today are those of the warehouse's clock. Data that was taken over may have names that Postgres does
-- not know; they would fail each report.

update warehouses set timezone = null where timezone not in (select name from pg_timezone_names);
alter table warehouses add constraint warehouses_timezone_check
  check (timestamptz '2000-01-01' at time zone timezone is not null or timezone is null);
comment on constraint warehouses_timezone_check on warehouses is
  'A name that Postgres does not know is an error of its own.';
comment on column warehouses.timezone is
  'By whose clock its days and hours are, of the IANA list, or null for the company''s.';
