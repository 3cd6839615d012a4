import { useAnswer } from '../data/use-answer.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { GroupTable } from './group-table.tsx';
import { NoFiles } from './no-files.tsx';
import type { FolderScope } from './types.ts';

/** When the files in the folder were last changed. */
export function AgeTab({ scope }: { readonly scope: FolderScope }) {
  const { index, node, filter } = scope;
  const report = useAnswer('disk_ages', { index_id: index, under: node, filter });
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
