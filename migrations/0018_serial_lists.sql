-- The list of serials, and lots and serials by the beginning of their numbers.

create index serials_newest on serials (created_at desc, serial_id desc);
create index serials_of_item on serials (item_id, created_at desc, serial_id desc);
create index serials_of_lot on serials (lot_number, created_at desc, serial_id desc) where lot_number is not null;
create index serials_in_state on serials (state, created_at desc, serial_id desc);

-- By their characters, whatever the collation of the database.
create index serials_beginning on serials (upper(serial_number) text_pattern_ops);
create index lots_beginning on lots (upper(lot_number) text_pattern_ops);
