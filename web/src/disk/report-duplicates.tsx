import { countText, sizeText } from '../../../src/contract/people.ts';
import { usePages } from '../data/use-pages.ts';
import { href } from '../frame/router.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import type { Place } from './index-view.tsx';
import { selection, toggle } from './selection.ts';
import type { EqualFiles } from './types.ts';

interface Report {
  readonly groups: readonly EqualFiles[];
  readonly wasted: number;
}

/** Files of equal content. All but one of a group can be selected. */
export function DuplicatesTab({ place }: { readonly place: Place }) {
  const { index, node, path, filter } = place;
  const pages = usePages<Report, EqualFiles>(
    href(`/api/indexes/${index}/reports/duplicates`, { under: node, filter, limit: 100 }),
    (data) => data.groups,
  );
  const chosen = selection();
  if (pages.error) return <Failure error={pages.error} retry={pages.reload} />;
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
    <section class="panel scroll-panel" aria-label="Duplicates">
      <p class="hint-line">
        <strong>{sizeText(pages.first.data.wasted)}</strong> would be free if only one of each were kept
        {filter !== undefined && ', of what passes the filter'}.
      </p>
      <ul class="rows">
        {pages.rows.map((group) => (
          <li key={group.digest} class="equal-files">
            <p>
              <strong>{sizeText(group.wasted)}</strong>{' '}
              <span class="quiet">
                {countText(group.count)} × {sizeText(group.size)}
              </span>
            </p>
            <ul>
              {group.files.map((file) => (
                <li key={file.node_id} class="equal-file">
                  <input
                    type="checkbox"
                    aria-label={`Select ${file.path}`}
                    checked={chosen.has(file.node_id)}
                    onChange={() => toggle(file.node_id)}
                  />
                  <a href={`/disk/${index}/${file.node_id}`} class="mono cut" title={file.path}>
                    {short(file.path)}
                  </a>
                </li>
              ))}
              {group.count > group.files.length && (
                <li class="quiet">and {countText(group.count - group.files.length)} more</li>
              )}
            </ul>
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <p class="hint-line">
          <button type="button" class="button small" onClick={pages.more}>
            More
          </button>
        </p>
      )}
    </section>
  );
}
