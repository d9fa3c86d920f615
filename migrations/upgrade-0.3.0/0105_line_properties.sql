-- What the customer wants of the units of a line, such as an engraving, as its shop has it.

alter table sales_order_lines add column properties jsonb not null default '[]'
  constraint sales_order_lines_properties_check check (jsonb_typeof(properties) = 'array');
comment on column sales_order_lines.properties is
  'A list of {name, value}, in the order of the shop. Names that begin with _ are of programs, and not shown to '
  'people.';
