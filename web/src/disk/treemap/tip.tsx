import { countOf, sizeText } from '../../ui/format.ts';
import { Ago } from '../../ui/time.tsx';
import type { TreemapData } from '../types.ts';
import { REST, type TreeColumns } from './columns.ts';

/** Path, size and share of the box under the pointer. */
export function Tip(props: {
  readonly data: TreemapData;
  readonly columns: TreeColumns;
  readonly at: number;
  readonly pointer: { readonly x: number; readonly y: number } | undefined;
}) {
  const { data, columns, at, pointer } = props;
  const size = columns.sizes[at] ?? 0;
  const share = (100 * size) / Math.max(1, columns.sizes[0] ?? 1);
  const rest = (columns.kinds[at] ?? 0) <= REST;
  const time = columns.times[at] ?? 0;
  const style = pointer
    ? {
        left: `min(${pointer.x + 14}px, calc(100% - 290px))`,
        top: `min(${pointer.y + 16}px, calc(100% - 84px))`,
      }
    : { right: '8px', bottom: '8px' };
  return (
    <div class="tip" style={style} aria-hidden="true">
      <div class="mono tip-path">
        {rest ? countOf(time, 'small entry', 'small entries') : pathWithin(data, columns, at)}
      </div>
      <div>
        <strong>{sizeText(size)}</strong>{' '}
        <span class="quiet">{share.toFixed(share < 10 ? 1 : 0)}% of this folder</span>
      </div>
      {!rest && time > 0 && (
        <div class="quiet">
          changed <Ago at={time * 1000} />
        </div>
      )}
    </div>
  );
}

function pathWithin(data: TreemapData, columns: TreeColumns, at: number): string {
  const parts: string[] = [];
  for (let node = at; node > 0; node = columns.parents[node] ?? 0) parts.unshift(data.names[node] ?? '');
  return parts.join('/');
}
