-- A put-away rule may name several zones.

alter table put_away_rules add zone_ids integer[] not null default '{}'
  check (cardinality(zone_ids) <= 50 and array_position(zone_ids, null) is null);
comment on column put_away_rules.zone_ids is
  'Into picking bins of the first of these zones that has room; none: of all storage zones. Who deletes a zone takes it '
  'out, and deletes the rules that name no other.';
update put_away_rules set zone_ids = array[zone_id] where zone_id is not null;
alter table put_away_rules drop column zone_id;
