import type { Knex } from "knex";

// What a row of the floor's busiest tables may be, as domains. Postgres parses the check of a table anew for each
// statement that writes to it, whatever it writes; that of a domain once per connection, and it looks only at what is
// written.

const states: {
  domain: string;
  column: `${string}.${string}`;
  length: number;
  values: string[];
}[] = [
  {
    domain: "sales_order_status",
    column: "sales_orders.status",
    length: 20,
    values: [
      ...["OPEN", "PICKED", "PACKED", "SHIPPED", "CANCELLED", "REFUNDED"],
      ...["WAITING_STOCK", "FRAUD_REVIEW", "PARTIALLY_RECEIVED", "RECEIVED"],
    ],
  },
  {
    domain: "sales_order_type",
    column: "sales_orders.order_type",
    length: 20,
    values: [...["sale", "refund", "backorder", "replacement", "exchange", "return"]],
  },
  {
    domain: "sales_order_line_status",
    column: "sales_order_lines.status",
    length: 20,
    values: ["PENDING", "OPEN", "PICKED", "PACKED", "SHIPPED"],
  },
  {
    domain: "purchase_order_status",
    column: "purchase_orders.status",
    length: 20,
    values: ["OPEN", "PARTIAL", "RECEIVED", "CLOSED", "ARCHIVED"],
  },
  {
    domain: "purchase_order_line_status",
    column: "purchase_order_lines.status",
    length: 20,
    values: ["PENDING", "PARTIAL", "RECEIVED"],
  },
  {
    domain: "pick_batch_status",
    column: "pick_batches.status",
    length: 20,
    values: ["OPEN", "IN_PROGRESS", "COMPLETED", "CANCELLED"],
  },
  {
    domain: "pick_task_status",
    column: "pick_tasks.status",
    length: 20,
    values: ["PENDING", "PICKED", "SHORT", "SKIPPED", "RELEASED"],
  },
  {
    domain: "bin_transfer_type",
    column: "bin_transfers.transfer_type",
    length: 20,
    values: ["PUTAWAY", "MOVE", "REPLENISH", "INTER_WAREHOUSE"],
  },
  {
    domain: "fulfillment_status",
    column: "item_fulfillments.status",
    length: 20,
    values: ["SHIPPED", "VOIDED"],
  },
  {
    domain: "event_aggregate_type",
    column: "integration_events.aggregate_type",
    length: 32,
    values: [...["sales_order", "purchase_order", "inventory", "cycle_count"], "transfer"],
  },
];

export async function up(knex: Knex): Promise<void> {
  for (const { domain, column, length, values } of states) {
    const [table, name] = column.split(".");
    const check = `${table}_${name}_check`;
    // The check comes last: a column that becomes a domain with one is written anew, row by row.
    await knex.raw(`
      create domain ${domain} as varchar(${length});
      comment on domain ${domain} is 'What ${column} may be.';
      alter table ${table} drop constraint ${check}, alter ${name} type ${domain};
      alter domain ${domain} add constraint ${check} check (value in ('${values.join("', '")}'));
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { domain, column, length, values } of states) {
    const [table, name] = column.split(".");
    await knex.raw(`
      alter table ${table} alter ${name} type varchar(${length}),
        add constraint ${table}_${name}_check check (${name} in ('${values.join("', '")}'));
      drop domain ${domain};
    `);
  }
}
