import { withQuery } from '../frame/router.ts';
import { Empty } from '../ui/states.tsx';

/** Nothing to tell of a folder: it is empty, or the filter leaves nothing. */
export function NoFiles({ filtered }: { readonly filtered: boolean }) {
  if (!filtered) return <Empty title="There are no files here." />;
  return (
    <Empty title="No files here pass the filter.">
      <a href={withQuery({ f: undefined })}>Without the filter</a>
    </Empty>
  );
}
