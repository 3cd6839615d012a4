/**
 * What our statements use from SQLite and PostgreSQL lacks: functions of the same names in a separate schema, found
 * before PostgreSQL's own. The words of trigrams (`sessions/search/trigrams.ts`) are those of a text search.
 */
export const POSTGRES_FUNCTIONS = `
CREATE OR REPLACE FUNCTION max(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS 'SELECT CASE WHEN a IS NULL OR b IS NULL THEN NULL ELSE greatest(a, b) END';
CREATE OR REPLACE FUNCTION min(a bigint, b bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS 'SELECT CASE WHEN a IS NULL OR b IS NULL THEN NULL ELSE least(a, b) END';
CREATE OR REPLACE FUNCTION instr(a text, b text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT strpos(a, b)';
CREATE OR REPLACE FUNCTION substr(a text, b bigint) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT CASE WHEN b < 0 THEN right(a, least(-b, 2147483647)::int) ELSE pg_catalog.substr(a, b::int) END';
CREATE OR REPLACE FUNCTION datetime(seconds bigint, kind text) RETURNS timestamp LANGUAGE sql IMMUTABLE
  AS 'SELECT timestamp ''1970-01-01'' + make_interval(secs => seconds)';
CREATE OR REPLACE FUNCTION date(at timestamp) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT to_char(at, ''YYYY-MM-DD'')';
CREATE OR REPLACE FUNCTION date(at timestamp, back text, day text) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT to_char(date_trunc(''week'', at), ''YYYY-MM-DD'')';
CREATE OR REPLACE FUNCTION strftime(form text, at timestamp) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT to_char(at, replace(replace(replace(form, ''%Y'', ''YYYY''), ''%m'', ''MM''), ''%d'', ''DD''))';
CREATE OR REPLACE FUNCTION counted(so_far bigint, one boolean) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS 'SELECT so_far + CASE WHEN one THEN 1 ELSE 0 END';
CREATE OR REPLACE AGGREGATE sum(boolean) (SFUNC = counted, STYPE = bigint, INITCOND = '0');
CREATE OR REPLACE FUNCTION with_comma(so_far text, one text) RETURNS text LANGUAGE sql IMMUTABLE
  AS 'SELECT CASE WHEN so_far IS NULL THEN one WHEN one IS NULL THEN so_far ELSE so_far || '','' || one END';
CREATE OR REPLACE AGGREGATE group_concat(text) (SFUNC = with_comma, STYPE = text);
CREATE OR REPLACE FUNCTION gram_query(query text) RETURNS tsquery LANGUAGE sql IMMUTABLE
  AS 'SELECT replace(replace(replace(query, ''"'', ''''''''), '' AND '', '' & ''), '' OR '', '' | '')::tsquery';
CREATE OR REPLACE FUNCTION gram_matches(query text, OUT rowid bigint) RETURNS SETOF bigint LANGUAGE plpgsql STABLE
  -- Lists of trigrams are long and kept beside the table, so reading them all seems cheap to PostgreSQL, and is not.
  SET enable_seqscan = off
  AS 'BEGIN RETURN QUERY SELECT g.rowid FROM grams g WHERE g.codes @@ gram_query(query); END';
DO $$ BEGIN
  CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN duplicate_object THEN NULL; END $$;
`;
