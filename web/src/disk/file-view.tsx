import { useAnswer } from '../data/use-answer.ts';
import { pageLinks, param } from '../frame/router.ts';
import { FileFacts } from './file-facts.tsx';
import { FilePreview } from './file-preview.tsx';
import { FolderEntries } from './folder-entries.tsx';
import { PathCrumbs } from './path-crumbs.tsx';
import { selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import type { NodeDetail } from './types.ts';

/** A file of an index: facts and a preview, beside the other entries of its folder, which can be selected. */
export function FileView({ index, detail }: { readonly index: string; readonly detail: NodeDetail }) {
  const folder = detail.path.slice(0, detail.path.lastIndexOf('/')) || '/';
  const around = useAnswer('inspect', { path: folder, index_id: index }).answer?.data;
  const kept = { f: param('f'), sel: param('sel') };
  return (
    <div class="view fill disk-view">
      <div class="view-head">
        <PathCrumbs path={detail.path} index={index} />
        <span class="spacer" />
        <SelectionBar index={index} words="" />
      </div>
      <div class="map-tab file-view">
        <div class="file-main">
          <section class="panel">
            <FileFacts detail={detail} />
          </section>
          <FilePreview detail={detail} />
        </div>
        {around?.index_id === index && around.node_id !== undefined && (
          <section class="panel map-side" aria-label="Entries of this folder">
            <FolderEntries
              scope={{ index, node: around.node_id, path: folder, filter: undefined }}
              hrefOf={(id) => pageLinks.node(index, id, kept)}
              chosen={selection()}
              current={detail.node_id}
            />
          </section>
        )}
      </div>
    </div>
  );
}
