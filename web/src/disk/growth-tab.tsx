import { useMemo } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { pageLinks } from '../frame/router.ts';
import { sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Plot } from '../ui/plot.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { units } from '../ui/units.ts';
import { withoutChains } from './growth-rows.ts';
import { RescanButton } from './rescan-button.tsx';
import type { FolderScope, NodeDetail } from './types.ts';

/** The size of the folder over its scans, and which of its folders grew. */
export function GrowthTab({ scope, detail }: { readonly scope: FolderScope; readonly detail: NodeDetail }) {
  const { index, node, path } = scope;
  const pages = usePages('disk_growth', { index_id: index, under: node, limit: 200 }, (data) => data.folders);
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
      <Empty title="Growth appears after the next scan.">
        Pinhole scans again by itself when you open an index that is out of date.{' '}
        <RescanButton index={index} root={path} />
      </Empty>
    );
  }
  const rows = withoutChains(pages.rows);
  const largest = Math.max(1, ...rows.map((row) => Math.abs(row.grown)));
  return (
    <section class="panel scroll-panel" aria-label="Growth">
      {scans.length > 1 && (
        <Plot
          label={`Size of ${path} over its scans`}
          times={times}
          series={series}
          height={180}
          format={(value) => sizeText(value)}
          binary={units.value === 'iec'}
        />
      )}
      {scope.filter !== undefined && (
        <p class="hint-line">
          The filter does not apply here: earlier scans keep only the sizes of whole folders.
        </p>
      )}
      <p class="hint-line">
        Changes since the scan <Ago at={since} />
        {pages.rows.length === 0 && ': none'}
      </p>
      {pages.rows.length > 0 && (
        <table class="table">
          <thead>
            <tr>
              <th>folder</th>
              <th class="num">change</th>
              <th class="wide-only">
                <span class="hidden-text">change as a bar</span>
              </th>
              <th class="num">now</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.node_id}>
                <td class="mono cut">
                  {row.gone ? (
                    <span class="quiet">
                      <MiddleCut text={row.path.slice(path.length + (path === '/' ? 0 : 1))} /> (deleted)
                    </span>
                  ) : (
                    <a href={pageLinks.node(index, row.node_id)}>
                      <MiddleCut
                        text={row.path === path ? '.' : row.path.slice(path.length + (path === '/' ? 0 : 1))}
                      />
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
                      style={{ width: `${(100 * Math.abs(row.grown)) / largest}%` }}
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
