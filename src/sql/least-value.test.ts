import { expect, test } from 'vitest';
import { leastOf } from './least-value.ts';
import { tokensOf } from './statement.ts';

test.each([
  ['select 1 from duplicates where size > 1e6', 1e6],
  ["select 1 from duplicates where path like '/a/%' and size >= 4096 group by hash order by 1", 4096],
  ['select 1 from duplicates where size > 10 and size > 20;', 20],
  ['select 1 from duplicates where size > 30 group by 1 having count(*) > 2 and size > 40', 30],
  ["select 1 from duplicates where size > 10 and (path like '/a/%' or path like '/b/%')", 10],
  ['select 1 from duplicates d join files f on f.path = d.path where d.size > 10 and f.links > 1', 10],
  ['select 1 from duplicates as d, files f where d.size >= 10 and f.size > 20', 10],
  ['select 1 from files f join duplicates using (path) where duplicates.size > 10', 10],
  ['select g from (select count(*) g from duplicates where size > 10 group by hash) where g > 20', 10],
  ['with a as (select 1 from duplicates where size > 10) select 1 from a, duplicates where size > 5', 5],
  ['with a as (select 1 from duplicates where size > 10) select 1 from a, duplicates', undefined],
  ['select 1 from duplicates d, files f where f.size > 20', undefined],
  ['select 1 from duplicates where copies between 1 and size > 10', undefined],
  ['select 1 from duplicates where case when 1 and size > 10 and 1 then 1 else 2 end', undefined],
  ['select 1 from files where size > 10 and path in (select path from duplicates)', undefined],
  ['select 1 from duplicates where path in (select path from files where size > 10)', undefined],
  ['select 1 from duplicates', undefined],
  ['select 1 from duplicates where size > 10 or copies > 3', undefined],
  ['select 1 from duplicates where not size > 10', undefined],
  ['select 1 from duplicates where size > 10 * copies', undefined],
  ['select sum(size > 10) from duplicates', undefined],
  ['select (select count(*) from duplicates) from duplicates where size > 10', undefined],
  ["select 1 from duplicates where path = 'and' and 'size' > 10", undefined],
])('%s asks for a size of at least %s', (query, least) => {
  expect(leastOf(tokensOf(query), 'duplicates', 'size')).toBe(least);
});
