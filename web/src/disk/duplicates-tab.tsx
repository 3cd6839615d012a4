import { useMemo } from 'preact/hooks';
import { isOwnData } from '../data/own-data.ts';
import { usePages } from '../data/use-pages.ts';
import { param, withQuery } from '../frame/router.ts';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { ChoosablePath } from './choosable-path.tsx';
import type { DuplicateGroup, FolderScope } from './types.ts';
import { useGroupFiles } from './use-group-files.ts';

/** A line of the list: the head of a group, one of its files, or how many more files there are. */
interface Line {
  readonly group: DuplicateGroup;
  readonly file?: DuplicateGroup['files'][number];
  readonly left?: number;
}

/** Files with the same content. */
export function DuplicatesTab({ scope }: { readonly scope: FolderScope }) {
  const { index, node, filter } = scope;
  const smallest = param('min');
  const min_size = smallest === undefined ? undefined : Number(smallest) || 1;
  const input = { index_id: index, under: node, filter, min_size };
  const pages = usePages('disk_duplicates', { ...input, limit: 100 }, (data) => data.groups ?? []);
  const more = useGroupFiles(input);
  const lines = useMemo(
    () =>
      pages.rows.flatMap((group): Line[] => {
        const files = more.files.get(group.digest) ?? group.files;
        const left = group.count - files.length;
        return [{ group }, ...files.map((file) => ({ group, file })), ...(left > 0 ? [{ group, left }] : [])];
      }),
    [pages.rows, more.files],
  );
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) {
    return (
      <>
        <p class="hint-line">Comparing files of the same size…</p>
        <Skeleton lines={10} />
      </>
    );
  }
  const { wasted, min_size: compared } = pages.first.data;
  const smaller = compared > 1 && <a href={withQuery({ min: 1 })}>Compare smaller files too</a>;
  const least = compared > 1 ? ` of ${sizeText(compared)} or more` : '';
  if (pages.rows.length === 0)
    return (
      <Empty
        title={`No duplicate files${least} ${filter === undefined ? 'in this folder' : 'match the filter'}.`}
      >
        {smaller}
      </Empty>
    );
  const { truncated, unreadable } = pages.first.meta;
  const own = pages.rows
    .filter(({ files }) => files.every(({ path }) => isOwnData(path)))
    .reduce((sum, group) => sum + group.wasted, 0);
  return (
    <section class="panel fill-panel equal-panel" aria-label="Duplicates">
      <p class="hint-line">
        <strong>
          {truncated === true && '≥ '}
          {sizeText(wasted)}
        </strong>{' '}
        can be freed by keeping one copy of each file
        {least}
        {filter !== undefined && ' that matches the filter'}.{' '}
        {own > 0 && `${sizeText(own)} of it is Pinhole's own data, which stays. `}
        {smaller}
        {truncated === true && ' Not all files were compared in the time allowed; reload to continue.'}
        {typeof unreadable === 'number' && ` ${countOf(unreadable, 'file')} could not be read.`}
      </p>
      <VirtualList
        label="Duplicates"
        class="entry-list"
        rows={lines}
        keyOf={({ group, file, left }) => `${group.digest} ${file?.node_id ?? left ?? ''}`}
        rowHeight={28}
        onEnd={pages.more}
        render={({ group, file, left }) =>
          file !== undefined ? (
            <div class="equal-file">
              <ChoosablePath scope={scope} row={file} />
            </div>
          ) : left !== undefined ? (
            <p class="equal-more">
              <button type="button" class="button small" onClick={() => more.load(group.digest)}>
                Show more ({countOf(left, 'file')} left)
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
