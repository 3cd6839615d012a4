import { usePages } from '../data/use-pages.ts';
import { withQuery } from '../frame/router.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { typesInput } from './disk-questions.ts';
import { toggleWord } from './filter-words.ts';
import { GroupTable } from './group-table.tsx';
import { NoFiles } from './no-files.tsx';
import type { FolderScope } from './types.ts';

/** The size of each type of file. */
export function TypesTab({ scope, words }: { readonly scope: FolderScope; readonly words: string }) {
  const { filter } = scope;
  const pages = usePages('disk_extensions', typesInput(scope), (data) => data.groups);
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0) return <NoFiles filtered={filter !== undefined} />;
  return (
    <section class="panel scroll-panel" aria-label="Types">
      <GroupTable
        heading="type"
        groups={pages.rows}
        total={pages.first.data.total_disk_size}
        label={(group) =>
          group.label.startsWith('(') ? (
            <span class="quiet">{group.label}</span>
          ) : (
            <a class="mono" href={withQuery({ tab: undefined, f: toggleWord(words, `ext:${group.label}`) })}>
              .{group.label}
            </a>
          )
        }
      />
      <MoreRows pages={pages} />
    </section>
  );
}
