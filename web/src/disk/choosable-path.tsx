import { isOwnData } from '../data/own-data.ts';
import { pageLinks } from '../frame/router.ts';
import { Badge } from '../ui/basics.tsx';
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
  const own = isOwnData(path);
  const link = (
    <a href={pageLinks.node(index, node_id)} class="mono" title={path}>
      <MiddleCut text={path.slice(folder.length + (folder === '/' ? 0 : 1))} />
    </a>
  );
  return (
    <>
      <input
        type="checkbox"
        aria-label={`Select ${path}`}
        checked={selection().has(node_id)}
        disabled={own}
        onChange={() => toggle(node_id)}
      />
      {own ? (
        <span class="own-data">
          {link}{' '}
          <Badge>
            Pinhole<span class="wide-only">'s own data</span>
          </Badge>
        </span>
      ) : (
        link
      )}
    </>
  );
}
