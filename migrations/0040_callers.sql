-- Customers who call are found by what they have at hand: their e-mail address or telephone number.

-- Written when an order is made and when these fields of it change, which a scan does not do.
create index sales_orders_email on sales_orders (lower(customer_email)) where customer_email is not null;
create index sales_orders_phone on sales_orders ("right"(regexp_replace(customer_phone, '\D', '', 'g'), 8))
  where customer_phone is not null;
comment on index sales_orders_phone is 'The last digits: before them, people write +44 or 0.';
