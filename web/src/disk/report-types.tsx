import { useAnswer } from '../data/use-answer.ts';
import { href, withQuery } from '../frame/router.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { toggleWord } from './filter-words.ts';
import { GroupTable } from './group-table.tsx';
import type { Place } from './index-view.tsx';
import type { Group } from './types.ts';

/** What each kind of file takes. */
export function TypesTab({ place, words }: { readonly place: Place; readonly words: string }) {
  const { index, node, filter } = place;
  const report = useAnswer<{ readonly groups: readonly Group[] }>(
    href(`/api/indexes/${index}/reports/extensions`, { under: node, filter, limit: 200 }),
  );
  const groups = report.answer?.data.groups;
  if (report.error && !groups) return <Failure error={report.error} retry={report.reload} />;
  if (groups === undefined) return <Skeleton lines={14} />;
  if (groups.length === 0) return <Empty title="No files here pass the filter." />;
  return (
    <section class="panel scroll-panel" aria-label="Types">
      <GroupTable
        heading="type"
        groups={groups}
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
    </section>
  );
}
