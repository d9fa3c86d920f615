/**
 * SQL: what people call who did something, by the column that says it as the audit log does: the name of a person, of a
 * token, a connector or a source system; null for the service itself.
 */
export const actorName = (column: string) => `case
  when ${column} like 'system:wms\\_token:%' then coalesce(
    (select token_name from wms_tokens where token_id::text = substr(${column}, 18)), 'Token ' || substr(${column}, 18))
  when ${column} like 'system:connector:%' then substr(${column}, 18)
  when ${column} like 'inbound:%' then substr(${column}, 9)
  when ${column} = 'system' or ${column} like 'system:%' then null
  else coalesce((select nullif(btrim(full_name), '') from users u where u.username = ${column}), ${column}) end`;
