import { pageLinks } from '../frame/router.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { selection, toggle } from './selection.ts';
import type { FolderScope } from './types.ts';

/** A node in a report: a checkbox that selects it, and its path below the folder as a link. */
export function ChoosablePath(props: {
  readonly scope: Pick<FolderScope, 'index' | 'path'>;
  readonly row: { readonly node_id: string; readonly path: string };
}) {
  const { index, path: folder } = props.scope;
  const { node_id, path } = props.row;
  return (
    <>
      <input
        type="checkbox"
        aria-label={`Select ${path}`}
        checked={selection().has(node_id)}
        onChange={() => toggle(node_id)}
      />
      <a href={pageLinks.node(index, node_id)} class="mono" title={path}>
        <MiddleCut text={path.slice(folder.length + (folder === '/' ? 0 : 1))} />
      </a>
    </>
  );
}
