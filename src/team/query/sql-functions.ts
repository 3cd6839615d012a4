import { COMPLAINTS } from '../../sessions/analyze/complaint.ts';

/** Every character that JavaScript treats as white space. */
const SPACES = "E' \\t\\n\\r\\f\\u000b\\u00a0\\ufeff'";

/** A JavaScript regular expression as a PostgreSQL literal. */
const pattern = ({ source }: RegExp) => `'${source.replaceAll('\\b', '\\y').replaceAll("'", "''")}'`;

/** Functions that the views call, and that queries have in addition to PostgreSQL's own. Lengths are in characters. */
export const SQL_FUNCTIONS = `
CREATE FUNCTION local_text(ms bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT to_char(to_timestamp(ms / 1000) AT TIME ZONE
    COALESCE(NULLIF(current_setting('pinhole.zone', true), ''), 'UTC'), 'YYYY-MM-DD HH24:MI:SS') $$;
CREATE FUNCTION complains(prompt text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN said !~* ${pattern(COMPLAINTS.notSaid)}
      AND (said ~* ${pattern(COMPLAINTS.unwanted)} OR said ~* ${pattern(COMPLAINTS.wrong)}) THEN 1 ELSE 0 END
    FROM (SELECT left(ltrim(prompt, ${SPACES}), ${COMPLAINTS.lookedAt})) s(said) $$;
CREATE FUNCTION flat(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT btrim(regexp_replace(given, '\\s+', ' ', 'g')) $$;
CREATE FUNCTION snip(given text, most bigint DEFAULT 200) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN length(line) > most OR length(given) > 4 * most THEN left(line, most::int) || '…' ELSE line END
    FROM (SELECT flat(left(given, (4 * most)::int))) s(line) $$;
CREATE FUNCTION around(given text, word text, most bigint DEFAULT 200) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN place = 0 THEN NULL ELSE CASE WHEN start > 0 THEN '…' ELSE '' END
      || flat(substr(given, start + 1, most::int)) || CASE WHEN start + most < length(given) THEN '…' ELSE '' END END
    FROM (SELECT strpos(lower(given), lower(word))) p(place),
      LATERAL (SELECT greatest(0, place - 1 - ((most - length(word)) / 2))::int) s(start) $$;
CREATE FUNCTION dirname(path text, parts bigint DEFAULT -1) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN path = '' THEN '' ELSE COALESCE(NULLIF(array_to_string(names[1:CASE WHEN parts < 0
      THEN greatest(1, cardinality(names) + parts::int) ELSE parts::int + 1 END], '/'), ''), '/') END
    FROM (SELECT string_to_array(path, '/')) s(names) $$;
CREATE FUNCTION size(bytes numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN step = 0 THEN round(bytes)::text || ' B'
      ELSE to_char(bytes / power(1000::numeric, step), 'FM999999990.0') || (ARRAY[' kB', ' MB', ' GB', ' TB', ' PB', ' EB'])[step] END
    FROM (SELECT least(6, (bytes >= 999.5)::int + (bytes >= 999.5e3)::int + (bytes >= 999.5e6)::int
      + (bytes >= 999.5e9)::int + (bytes >= 999.5e12)::int + (bytes >= 999.5e15)::int)) s(step) $$;
CREATE FUNCTION regexp(pattern text, given text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN pattern = lower(pattern) THEN given ~* ('(?n)' || pattern) ELSE given ~ ('(?n)' || pattern) END $$;
CREATE FUNCTION ifnull(a anycompatible, b anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT COALESCE(a, b) $$;
CREATE FUNCTION instr(a text, b text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT strpos(a, b) $$;
CREATE FUNCTION round(value double precision, digits integer) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT round(value::numeric, digits)::double precision $$;
CREATE FUNCTION with_comma(so_far text, one text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN so_far IS NULL THEN one WHEN one IS NULL THEN so_far ELSE so_far || ',' || one END $$;
CREATE AGGREGATE group_concat(text) (SFUNC = with_comma, STYPE = text);
CREATE FUNCTION with_between(so_far text, one text, between_them text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN so_far IS NULL THEN one WHEN one IS NULL THEN so_far ELSE so_far || between_them || one END $$;
CREATE AGGREGATE group_concat(text, text) (SFUNC = with_between, STYPE = text);
CREATE AGGREGATE total(double precision) (SFUNC = float8pl, STYPE = float8, INITCOND = '0');
`;
