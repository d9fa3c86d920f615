/**
 * The tables of a backup with their columns, without unlogged ones: a crash of Postgres empties those anyway, so
 * nothing may rely on their rows.
 */
export const TABLES = `
  select c.relname::text as name,
    array(select attname::text from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p'
  order by c.relname`;

/**
 * Values must have the same text whatever the server or the role is configured for, and nothing may be aborted by a
 * timeout.
 */
export const SESSION = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`;
