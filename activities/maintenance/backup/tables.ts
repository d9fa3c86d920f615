/**
 * The tables of a backup with their columns. Without unlogged ones, which a crash of Postgres empties anyway: nothing
 * may rely on their rows.
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
 * Values have to be the same text whatever the server or the role is configured for; nothing is given up for its time.
 */
export const SESSION = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`;
