import { useAnswer } from '../data/use-answer.ts';
import { href } from '../frame/router.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { GroupTable } from './group-table.tsx';
import type { Place } from './index-view.tsx';
import { NoFiles } from './no-files.tsx';
import type { GroupPage } from './types.ts';

/** When what is here was last changed. */
export function AgeTab({ place }: { readonly place: Place }) {
  const { index, node, filter } = place;
  const report = useAnswer<GroupPage>(href(`/api/indexes/${index}/reports/ages`, { under: node, filter }));
  const data = report.answer?.data;
  if (report.error && !data) return <Failure error={report.error} retry={report.reload} />;
  if (data === undefined) return <Skeleton lines={8} />;
  if (data.groups.length === 0) return <NoFiles filtered={filter !== undefined} />;
  return (
    <section class="panel scroll-panel" aria-label="Age">
      <GroupTable
        heading="last changed"
        groups={data.groups}
        total={data.total_disk_size}
        label={(group) => group.label}
      />
    </section>
  );
}
