-- A connector that owns nothing yet is of no warehouse: it is shown to whoever made it, and to administrators.

alter table connectors add column created_by text;
comment on column connectors.created_by is
  'The user who made it, who alone sees it, besides administrators, as long as it owns nothing.';
update connectors c set created_by = made.user_id
from (select details ->> 'connector_id' as connector_id, max(user_id) as user_id from audit_log
      where action_type = 'CONNECTOR_REGISTRY_CREATE' group by 1) made
where made.connector_id = c.connector_id;
