import { useAnswer } from '../data/use-answer.ts';
import { withQuery } from '../frame/router.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { treemapInput } from './disk-questions.ts';
import { GroupTable } from './group-table.tsx';
import { NoFiles } from './no-files.tsx';
import type { FolderScope, Group } from './types.ts';

const AGE = /\d+[hdwmy]/;

/** Group names as people say them; each group ends where the previous one begins. */
const NAMES: Readonly<Record<string, string>> = {
  'within 1d': 'last 24 hours',
  'within 7d': '1 to 7 days ago',
  'within 30d': '7 to 30 days ago',
  'within 90d': '30 to 90 days ago',
  'within 1y': '3 to 12 months ago',
  'within 2y': '1 to 2 years ago',
  'within 5y': '2 to 5 years ago',
  'older than 5y': 'over 5 years ago',
};

/** The filter for a group: younger than its own age, older than that of the previous group. */
function wordsFor(label: string, groups: readonly Group[]): string | undefined {
  const age = AGE.exec(label)?.[0];
  if (age === undefined) return undefined;
  if (label.startsWith('older')) return `older:${age}`;
  const before = groups[groups.findIndex((group) => group.label === label) - 1]?.label;
  const younger = AGE.exec(before ?? '')?.[0];
  return younger === undefined ? `newer:${age}` : `newer:${age} older:${younger}`;
}

/** When the files in the folder were last changed; each group links to its files, oldest first. */
export function AgeTab({ scope }: { readonly scope: FolderScope }) {
  const { filter } = scope;
  const report = useAnswer('disk_ages', treemapInput(scope));
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
        label={(group) => {
          const words = wordsFor(group.label, data.groups);
          return words === undefined ? (
            <span class="quiet">{nameOf(group)}</span>
          ) : (
            <a href={withQuery({ tab: 'largest', order: 'age', f: words })}>{nameOf(group)}</a>
          );
        }}
      />
    </section>
  );
}

function nameOf({ label }: Group): string {
  return NAMES[label] ?? label;
}
