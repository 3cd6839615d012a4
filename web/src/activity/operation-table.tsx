import { go, param, withQuery } from '../frame/router.ts';
import { countText, shortCount, sizeText } from '../ui/format.ts';
import type { OperationStats } from './types.ts';

const COLUMNS = [
  ['calls', 'calls'],
  ['errors', 'errors'],
  ['bytes_out', 'sent'],
  ['tokens', 'tokens'],
  ['ms_average', 'average ms'],
  ['ms_max', 'slowest ms'],
] as const;
type Column = (typeof COLUMNS)[number][0];

function cell(row: OperationStats, column: Column): string {
  if (column === 'bytes_out') return sizeText(row.bytes_out);
  if (column === 'tokens') return shortCount(row.tokens);
  if (column !== 'ms_average') return countText(row[column]);
  return row.ms_average < 100 ? row.ms_average.toFixed(1) : countText(Math.round(row.ms_average));
}

/** Operations with their figures; click a heading to sort. */
export function OperationTable({ operations }: { readonly operations: readonly OperationStats[] }) {
  const sort: Column = COLUMNS.find(([name]) => name === param('sort'))?.[0] ?? 'calls';
  const rows = [...operations].sort((a, b) => b[sort] - a[sort]);
  return (
    <div class="scroll-x">
      <table class="table">
        <thead>
          <tr>
            <th>operation</th>
            {COLUMNS.map(([name, label]) => (
              <th key={name} class="num" aria-sort={name === sort ? 'descending' : undefined}>
                <button type="button" onClick={() => go(withQuery({ sort: name }))}>
                  {label}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.operation}>
              <td class="mono fit">
                <a href={withQuery({ operation: row.operation })}>{row.operation}</a>
              </td>
              {COLUMNS.map(([name]) => (
                <td key={name} class={name === 'errors' && row.errors > 0 ? 'num failed' : 'num'}>
                  {cell(row, name)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
