import { useMemo } from 'preact/hooks';
import { sizeText } from '../../../src/contract/people.ts';
import { usePages } from '../data/use-pages.ts';
import { href } from '../frame/router.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Plot } from '../ui/plot.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import type { Place } from './index-view.tsx';
import type { GrownFolder, NodeDetail } from './types.ts';

interface Report {
  readonly since?: string;
  readonly folders: readonly GrownFolder[];
}

/** The size of the folder over its scans, and what below it grew. */
export function GrowthTab({ place, detail }: { readonly place: Place; readonly detail: NodeDetail }) {
  const { index, node, path } = place;
  const pages = usePages<Report, GrownFolder>(
    href(`/api/indexes/${index}/reports/growth`, { under: node, limit: 200 }),
    (data) => data.folders,
  );
  const scans = useMemo(() => [...(detail.history ?? [])].reverse(), [detail.history]);
  const times = useMemo(() => scans.map((scan) => Date.parse(scan.scanned_at) / 1000), [scans]);
  const series = useMemo(
    () => [
      { label: 'on disk', tone: 'c1', kind: 'area' as const, values: scans.map((scan) => scan.disk_size) },
    ],
    [scans],
  );
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={10} />;
  const { since } = pages.first.data;
  if (since === undefined) {
    return (
      <Empty
        title="There is one scan so far; the next one tells what grew."
        command={`pinhole index ${path}`}
      >
        Pinhole scans again by itself when an old index is looked at.
      </Empty>
    );
  }
  const most = Math.max(1, ...pages.rows.map((row) => Math.abs(row.grown)));
  return (
    <section class="panel scroll-panel" aria-label="Growth">
      {scans.length > 1 && (
        <Plot
          label={`Size of ${path} over its scans`}
          times={times}
          series={series}
          height={180}
          format={(value) => sizeText(value)}
        />
      )}
      {place.filter !== undefined && (
        <p class="hint-line">Earlier scans keep whole folders: the filter does not apply here.</p>
      )}
      <p class="hint-line">
        Since the scan <Ago at={since} />
        {pages.rows.length === 0 && ', nothing changed'}
      </p>
      {pages.rows.length > 0 && (
        <table class="table">
          <thead>
            <tr>
              <th>folder</th>
              <th class="num">change</th>
              <th class="wide-only">change</th>
              <th class="num">now</th>
            </tr>
          </thead>
          <tbody>
            {pages.rows.map((row) => (
              <tr key={row.node_id}>
                <td class="mono cut">
                  {row.gone ? (
                    <span class="quiet">{row.path.slice(path.length + (path === '/' ? 0 : 1))} (gone)</span>
                  ) : (
                    <a href={`/disk/${index}/${row.node_id}`}>
                      {row.path === path ? '.' : row.path.slice(path.length + (path === '/' ? 0 : 1))}
                    </a>
                  )}
                </td>
                <td class={row.grown > 0 ? 'num warning' : 'num ok'}>
                  {row.grown > 0 ? '+' : '−'}
                  {sizeText(Math.abs(row.grown))}
                </td>
                <td class="wide-only">
                  <span class="bar">
                    <span
                      class={row.grown > 0 ? 'bar-fill grown' : 'bar-fill shrunk'}
                      style={{ width: `${(100 * Math.abs(row.grown)) / most}%` }}
                    />
                  </span>
                </td>
                <td class="num">{sizeText(row.disk_size)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <MoreRows pages={pages} />
    </section>
  );
}
