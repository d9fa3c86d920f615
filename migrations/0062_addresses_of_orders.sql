-- Orders are found by where they go: street, town, postal code.

-- Word for word SEARCHED_ADDRESS in src/sales-orders/addresses.ts.
create index sales_orders_address on sales_orders using gin ((
  coalesce(shipping_address_line1, '') || ' ' || coalesce(shipping_address_line2, '') || ' ' ||
  coalesce(shipping_address_postal_code, '') || ' ' || coalesce(shipping_address_city, '') || ' ' ||
  coalesce(ship_address, customer_address, '')) gin_trgm_ops);
comment on index sales_orders_address is 'The parts of an address as one text, so that words of several find it.';
