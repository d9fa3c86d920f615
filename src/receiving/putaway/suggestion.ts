/**
 * Where an item is best put (docs/put-away.md): its preferred bin of highest priority within `:warehouses` that is
 * no full pick face, else its default bin there. Where these are one warehouse with rules, only bins with room for the
 * units count, and where none of the item's own bins has it, the first rule that is for the item and has a bin decides.
 */

/** Whether rules decide within the warehouses `:warehouses`. */
export const RULED = `coalesce(cardinality(:warehouses::int[]), 0) = 1
  and exists (select from put_away_rules a where a.warehouse_id = (:warehouses::int[])[1] and a.is_active)`;

/** The cubic feet of a unit; 0 where they are unknown. */
const volume = (item: string) => `coalesce(${item}.length_in * ${item}.width_in * ${item}.height_in, 0) / 1728`;

/** Why so many units of item `i` do not fit into bin `b`; null where they do. */
const tooMuch = (units: string) => `
  case when coalesce(b.max_units, b.max_weight_lbs, b.max_volume_cuft) is not null then (
    select case when load.units + ${units} > b.max_units then 'units'
      when load.weight + ${units} * coalesce(i.weight_lbs, 0) > b.max_weight_lbs then 'weight'
      when load.volume + ${units} * ${volume("i")} > b.max_volume_cuft then 'volume' end
    from (
      select coalesce(sum(v.quantity_on_hand), 0) as units,
        coalesce(sum(v.quantity_on_hand * o.weight_lbs), 0) as weight,
        coalesce(sum(v.quantity_on_hand * ${volume("o")}), 0) as volume
      from inventory v join items o on o.item_id = v.item_id
      where v.bin_id = b.bin_id and v.quantity_on_hand > 0) load) end`;

/** Whether a rule `r` is for item `i`; what is not known of an item fits no limit. */
const IS_FOR_ITEM = `r.warehouse_id = (:warehouses::int[])[1] and r.is_active
  and (r.category is null or r.category = i.category)
  and (r.item_class is null or r.item_class = coalesce((select c.item_class from item_classes c
    where c.warehouse_id = r.warehouse_id and c.item_id = i.item_id), 'C'))
  and (r.max_weight_lbs is null or i.weight_lbs <= r.max_weight_lbs)
  and (r.max_length_in is null or greatest(i.length_in, i.width_in, i.height_in) <= r.max_length_in)`;

/** Whether bin `b` holds something that rule `r` does not want beside item `i` of this lot. */
const holdsOthers = (lot: string) => `((r.one_item or r.one_lot) and exists (
  select from inventory v where v.bin_id = b.bin_id and v.quantity_on_hand > 0
    and (r.one_item and v.item_id <> i.item_id
      or r.one_lot and v.item_id = i.item_id and v.lot_number is distinct from ${lot})))`;

/**
 * SQL, for a left lateral join: the suggested bin for so many units of this lot of item `i`, and `why`, null where no
 * rules decide. Two texts, as that of the rules takes long to begin and few houses have some.
 */
export const suggestions = (units: string, lot: string): Record<"own" | "ruled", string> => ({
  own: `
    select b.bin_id, b.bin_code, b.bin_barcode, z.zone_name, choice.priority, null::json as why ${OWN_BINS}
    order by choice.by_default, ${isFull(units)}, choice.priority limit 1`,
  ruled: byRules(units, lot),
});

/** Whether bin `b` is a pick face of item `i` that so many units would fill beyond its limit. */
const isFull = (units: string) => `(choice.face_units is not null and choice.face_units < ${units} + (
  select coalesce(sum(v.quantity_on_hand), 0) from inventory v
  where v.bin_id = b.bin_id and v.item_id = i.item_id))`;

/** The bins of item `i` within `:warehouses`. */
const OWN_BINS = `
  from (select p.bin_id, p.priority, p.max_units as face_units, false as by_default from preferred_bins p
        where p.item_id = i.item_id
        union all select i.default_bin_id, 1, null, true) choice
  join bins b using (bin_id) join zones z using (zone_id)
  where b.is_active and (:warehouses::int[] is null or b.warehouse_id = any(:warehouses::int[]))`;

/** One row: the bin with room that comes first, null without one, and why. */
const byRules = (units: string, lot: string): string => `
  with own as materialized (
    select b.bin_id, b.bin_code, b.bin_barcode, z.zone_name, choice.priority, choice.by_default,
      row_number() over (order by choice.by_default, choice.priority) as place,
      case when ${isFull(units)} then 'units' else ${tooMuch(units)} end as lacks ${OWN_BINS}
  ), best as materialized (
    select * from own where lacks is null order by place limit 1
  ), ruled as materialized (
    select n.bin_id, n.bin_code, n.bin_barcode, n.zone_name, r.priority, r.rule_id, r.rule_name, r.nth_zone
    from (
      select r.*, t.in_zone, t.nth_zone from put_away_rules r
      cross join unnest(case when r.zone_ids = '{}' then array[null::int] else r.zone_ids end)
        with ordinality t(in_zone, nth_zone)
      where ${IS_FOR_ITEM} order by r.priority, r.rule_id, t.nth_zone) r
    cross join lateral (
      select b.bin_id, b.bin_code, b.bin_barcode, z.zone_name
      from bins b join zones z using (zone_id)
      where b.warehouse_id = r.warehouse_id and b.is_active and b.bin_type = 'Pickable' and z.is_active
        and (b.zone_id = r.in_zone or r.in_zone is null and z.zone_type in ('STORAGE', 'PICKING'))
        and not ${holdsOthers(lot)} and (${tooMuch(units)}) is null
      order by b.putaway_sequence, b.bin_code limit 1) n
    where not exists (select from best)
    order by r.priority, r.rule_id, r.nth_zone limit 1
  )
  select found.bin_id, found.bin_code, found.bin_barcode, found.zone_name, found.priority,
    (select json_build_object('code', reason.code, 'rule_id', found.rule_id, 'rule_name', found.rule_name,
        'words', case reason.code when 'preferred_bin' then 'Its first preferred bin with room'
          when 'default_bin' then 'Its default bin, which has room'
          when 'rule' then 'The nearest bin with room by the rule ' || found.rule_name
          when 'no_bin' then 'No bin of the rules that are for it has room'
          else 'No bin of its own has room, and no rule is for it' end,
        'lost', (
          select coalesce(json_agg(json_build_object('bin_id', lost.bin_id, 'bin_code', lost.bin_code,
              'rule_id', lost.rule_id, 'rule_name', lost.rule_name, 'zone_code', lost.zone_code,
              'lacks', lost.lacks)
              order by lost.step, lost.place, lost.rule_id), '[]')
          from (
            select 1 as step, own.place, own.bin_id, own.bin_code, null::int as rule_id, null as rule_name,
              null as zone_code, own.lacks
            from own where own.lacks is not null and own.place < coalesce(found.place, own.place + 1)
            union all
            select 2, r.priority, null, null, r.rule_id, r.rule_name, null, 'bin' from put_away_rules r
            where ${IS_FOR_ITEM} and found.place is null
              and (r.priority, r.rule_id) < (coalesce(found.priority, 1001), coalesce(found.rule_id, 0))
            union all
            select 3, t.nth_zone, null, null, r.rule_id, r.rule_name, z.zone_code, 'bin' from put_away_rules r
            cross join unnest(r.zone_ids) with ordinality t(zone_id, nth_zone) join zones z using (zone_id)
            where r.rule_id = found.rule_id and t.nth_zone < found.nth_zone
          ) lost))
      from (select case when found.place is not null then case when found.by_default then 'default_bin' else
          'preferred_bin' end when found.rule_id is not null then 'rule'
          when exists (select from put_away_rules r where ${IS_FOR_ITEM}) then 'no_bin' else 'no_rule' end as code
      ) reason) as why
  from (select) one left join (
    select bin_id, bin_code, bin_barcode, zone_name, priority, place, by_default, null::int as rule_id,
      null::text as rule_name, null::bigint as nth_zone
    from best
    union all
    select bin_id, bin_code, bin_barcode, zone_name, priority, null, null, rule_id, rule_name, nth_zone from ruled
  ) found on true`;
