import { useMemo } from 'preact/hooks';
import { countOf, countText, sizeText } from '../../../src/contract/people.ts';
import { usePages } from '../data/use-pages.ts';
import { href } from '../frame/router.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { Place } from './index-view.tsx';
import { selection, toggle } from './selection.ts';
import type { EqualFiles } from './types.ts';
import { useWholeGroups } from './use-whole-groups.ts';

interface Report {
  readonly groups: readonly EqualFiles[];
  readonly wasted: number;
}

/** A line of the list: what a group wastes, one of its files, or how many of them are left. */
interface Line {
  readonly group: EqualFiles;
  readonly file?: EqualFiles['files'][number];
  readonly left?: number;
}

/** Files of equal content. All but one of a group can be selected. */
export function DuplicatesTab({ place }: { readonly place: Place }) {
  const { index, node, path, filter } = place;
  const question = { under: node, filter };
  const address = `/api/indexes/${index}/reports/duplicates`;
  const pages = usePages<Report, EqualFiles>(
    href(address, { ...question, limit: 100 }),
    (data) => data.groups ?? [],
  );
  const whole = useWholeGroups((group) => href(address, { ...question, group, limit: 500 }));
  const lines = useMemo(
    () =>
      pages.rows.flatMap((group): Line[] => {
        const files = whole.files.get(group.digest) ?? group.files;
        const left = group.count - files.length;
        return [{ group }, ...files.map((file) => ({ group, file })), ...(left > 0 ? [{ group, left }] : [])];
      }),
    [pages.rows, whole.files],
  );
  const chosen = selection();
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) {
    return (
      <>
        <p class="hint-line">Comparing files of equal size…</p>
        <Skeleton lines={10} />
      </>
    );
  }
  if (pages.rows.length === 0)
    return (
      <Empty
        title={
          filter === undefined ? 'There are no equal files here.' : 'No equal files here pass the filter.'
        }
      />
    );
  const short = (full: string) => full.slice(path.length + (path === '/' ? 0 : 1));
  return (
    <section class="panel fill-panel equal-panel" aria-label="Duplicates">
      <p class="hint-line">
        <strong>{sizeText(pages.first.data.wasted)}</strong> would be free if only one of each were kept
        {filter !== undefined && ', of what passes the filter'}.
      </p>
      <VirtualList
        label="Equal files"
        class="entry-list"
        rows={lines}
        keyOf={({ group, file, left }) => `${group.digest} ${file?.node_id ?? left ?? ''}`}
        rowHeight={28}
        onEnd={pages.more}
        render={({ group, file, left }) =>
          file !== undefined ? (
            <div class="equal-file">
              <input
                type="checkbox"
                aria-label={`Select ${file.path}`}
                checked={chosen.has(file.node_id)}
                onChange={() => toggle(file.node_id)}
              />
              <a href={`/disk/${index}/${file.node_id}`} class="mono cut" title={file.path}>
                {short(file.path)}
              </a>
            </div>
          ) : left !== undefined ? (
            <p class="equal-more">
              <button type="button" class="button small" onClick={() => whole.more(group.digest)}>
                Show more of the {countOf(left, 'file')} left
              </button>
            </p>
          ) : (
            <p class="equal-head">
              <strong>{sizeText(group.wasted)}</strong>{' '}
              <span class="quiet">
                {countText(group.count)} × {sizeText(group.size)}
              </span>
            </p>
          )
        }
      />
    </section>
  );
}
