import { withQuery } from '../frame/router.ts';
import { Empty } from '../ui/states.tsx';

/** A folder without files, or without files that match the filter. */
export function NoFiles({ filtered }: { readonly filtered: boolean }) {
  if (!filtered) return <Empty title="No files in this folder." />;
  return (
    <Empty title="No files match the filter.">
      <a href={withQuery({ f: undefined })}>Clear filter</a>
    </Empty>
  );
}
