-- Replenishment: bins of reserve, and pick faces that are filled up from them.

alter table bins add is_reserve boolean not null default false;
comment on column bins.is_reserve is 'Pick faces are filled up from it; pickers are not sent there.';

alter table preferred_bins
  add min_units  integer check (min_units > 0),
  add max_units  integer,
  add case_units integer check (case_units > 0),
  add constraint preferred_bins_face check (
    (min_units is null) = (max_units is null) and (min_units is null) = (case_units is null)
    and min_units <= max_units);
comment on column preferred_bins.min_units is
  'With fewer units the bin, a pick face of the item, is filled up to max_units in cases of case_units; null: it is not.';
