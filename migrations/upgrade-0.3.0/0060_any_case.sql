-- What fingers type is found without regard to capitals (docs/barcodes.md).

create index items_sku_any_case on items (upper(sku));
create index bins_bin_code_any_case on bins (upper(bin_code));
create index purchase_orders_po_number_any_case on purchase_orders (upper(po_number));
create index sales_orders_so_number_any_case on sales_orders (upper(so_number));
