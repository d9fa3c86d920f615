import type { Knex } from "knex";

// API processes keep users in memory, and are notified of whatever changes what a user may do.

const triggers = [
  `users_session_changes after update of username, external_id, role, warehouse_id, warehouse_ids, is_active,
     must_change_password, password_changed_at, allowed_functions or delete or truncate on users`,
  "user_pages_session_changes after insert or update or delete or truncate on user_page_permissions",
  "settings_session_changes after insert or update or delete or truncate on app_settings",
  "ended_sessions_session_changes after insert on ended_sessions",
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function notify_session_changes() returns trigger language plpgsql as $$
    begin
      notify session_changes;
      return null;
    end $$;
    comment on function notify_session_changes is
      'Every API process keeps the users of sessions in memory and reads all of them again after this. A login changes '
      'nothing that is kept.';
    ${triggers
      .map((trigger) => `create trigger ${trigger} for each statement execute function notify_session_changes();`)
      .join("\n    ")}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop function notify_session_changes cascade");
}
