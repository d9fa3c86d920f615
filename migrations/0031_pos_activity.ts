import type { Knex } from "knex";

// What tills did, newest first: few rows among all of the audit log. Those of a cashier are found by audit_log_user,
// those of an order by audit_log_entity.

const AT_TILLS = "action_type in ('POS_CHECKOUT', 'POS_REFUND')";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index audit_log_pos on audit_log (created_at desc, log_id desc) include (warehouse_id, entity_id)
      where ${AT_TILLS};
    create index audit_log_pos_terminal on audit_log ((details->>'terminal_id'), created_at desc, log_id desc)
      where ${AT_TILLS};
    create index sales_orders_pos on sales_orders (status, so_id) where order_source = 'pos';
    comment on index sales_orders_pos is 'Counter sales that are not simply SHIPPED are few.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index audit_log_pos, audit_log_pos_terminal, sales_orders_pos;");
}
