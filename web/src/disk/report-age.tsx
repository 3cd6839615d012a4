import { useAnswer } from '../data/use-answer.ts';
import { href } from '../frame/router.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { GroupTable } from './group-table.tsx';
import type { Place } from './index-view.tsx';
import type { Group } from './types.ts';

/** When what is here was last changed. */
export function AgeTab({ place }: { readonly place: Place }) {
  const { index, node, filter } = place;
  const report = useAnswer<{ readonly groups: readonly Group[] }>(
    href(`/api/indexes/${index}/reports/ages`, { under: node, filter }),
  );
  const groups = report.answer?.data.groups;
  if (report.error && !groups) return <Failure error={report.error} retry={report.reload} />;
  if (groups === undefined) return <Skeleton lines={8} />;
  if (groups.length === 0) return <Empty title="No files here pass the filter." />;
  return (
    <section class="panel scroll-panel" aria-label="Age">
      <GroupTable heading="last changed" groups={groups} label={(group) => group.label} />
    </section>
  );
}
