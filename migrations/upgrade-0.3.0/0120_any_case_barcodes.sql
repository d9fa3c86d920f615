-- Barcodes are typed, too, and found without regard to capitals then (docs/barcodes.md).

create index items_upc_any_case on items (upper(upc));
create index bins_bin_barcode_any_case on bins (upper(bin_barcode));
create index purchase_orders_po_barcode_any_case on purchase_orders (upper(po_barcode));
create index sales_orders_so_barcode_any_case on sales_orders (upper(so_barcode));
create function in_capitals(codes jsonb) returns text[] language sql immutable parallel safe
  return (select array_agg(upper(code)) from jsonb_array_elements_text(codes) code);
comment on function in_capitals is 'The aliases of an item, by which it is found whatever their capitals.';
create index items_barcode_aliases_any_case on items using gin (in_capitals(barcode_aliases))
  with (fastupdate = off) where barcode_aliases is not null;
