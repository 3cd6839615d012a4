import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { withChildren } from '../disk/treemap/columns.ts';
import { layoutTree } from '../disk/treemap/layout.ts';
import { pageLinks } from '../frame/router.ts';
import { sizeText } from '../ui/format.ts';

const WIDTH = 400;
const HEIGHT = 120;
const MIN_LABEL_WIDTH = 46;

interface Box {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly tone: 'free' | 'other' | 'own';
}

/** The largest entries of an index, beside the rest of its disk and the free space. */
export function DiskMap({ index }: { readonly index: string }) {
  const summary = useAnswer('disk_summary', { index_id: index });
  const card = useAnswer('disk_index', { index_id: index });
  const data = summary.answer?.data;
  const volume = card.answer?.data.volume;
  const boxes = useMemo(() => {
    if (data === undefined) return [];
    const own: Box[] = data.largest.map((entry) => ({
      key: entry.node_id,
      name: entry.name,
      size: entry.disk_size,
      tone: 'own',
    }));
    const rest = data.rest?.disk_size ?? 0;
    if (rest > 0) own.push({ key: 'rest', name: 'rest', size: rest, tone: 'own' });
    if (volume === undefined) return own;
    // A small folder on a large disk would be a dot: then the rest of the disk is only described in words.
    const elsewhere = Math.max(0, volume.size - volume.free - data.disk_size);
    const around: Box[] = [
      { key: 'other', name: 'elsewhere', size: elsewhere, tone: 'other' },
      { key: 'free', name: 'free', size: volume.free, tone: 'free' },
    ];
    return data.disk_size * 20 > volume.size ? [...own, ...around] : own;
  }, [data, volume]);
  const placed = useMemo(() => place(boxes), [boxes]);
  return (
    <a class="disk-mini" href={pageLinks.index(index)}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" role="img" aria-label={describe(boxes)}>
        {placed.map(({ box, x, y, w, h }) => (
          <g key={box.key}>
            <rect
              x={x}
              y={y}
              width={Math.max(0, w - 1)}
              height={Math.max(0, h - 1)}
              class={`mini-${box.tone}`}
            />
            {w > MIN_LABEL_WIDTH && h > 16 && (
              <text x={x + 5} y={y + 13} class={`mini-text mini-on-${box.tone}`}>
                {cutTo(box.name, Math.floor((w - 8) / 7))}
              </text>
            )}
            <title>
              {box.name}: {sizeText(box.size)}
            </title>
          </g>
        ))}
      </svg>
      <p class="quiet num">
        {volume ? `${sizeText(volume.free)} free of ${sizeText(volume.size)}` : '\u00a0'}
      </p>
    </a>
  );
}

function cutTo(name: string, length: number): string {
  return name.length <= length ? name : `${name.slice(0, Math.max(1, length - 1))}…`;
}

function describe(boxes: readonly Box[]): string {
  return `Map of the disk: ${boxes
    .slice(0, 5)
    .map(({ name, size }) => `${name} ${sizeText(size)}`)
    .join(', ')}`;
}

/** Boxes as in the large map, without titles. */
function place(boxes: readonly Box[]) {
  const sorted = [...boxes].filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
  if (sorted.length === 0) return [];
  const total = sorted.reduce((sum, { size }) => sum + size, 0);
  const columns = withChildren({
    count: sorted.length + 1,
    parents: new Int32Array(sorted.length + 1),
    sizes: Float64Array.from([total, ...sorted.map(({ size }) => size)]),
    kinds: Int16Array.from([-1, ...sorted.map(() => 0)]),
    times: new Float64Array(sorted.length + 1),
    name: () => '',
  });
  const layout = layoutTree(columns, 0, WIDTH, HEIGHT);
  return sorted.map((box, i) => ({
    box,
    x: layout.x[i + 1] ?? 0,
    y: layout.y[i + 1] ?? 0,
    w: layout.w[i + 1] ?? 0,
    h: layout.h[i + 1] ?? 0,
  }));
}
