import { CodeText } from '../code/code-text.tsx';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import type { NodeDetail } from './types.ts';

const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;
const MAX_TEXT_BYTES = 1_000_000;
const MAX_IMAGE_BYTES = 20_000_000;
const LINES_SHOWN = 200;

/** The beginning of a text file, or a picture. Nothing for other files and files that are not on disk. */
export function FilePreview({ detail }: { readonly detail: NodeDetail }) {
  const { path, size, index_id, node_id } = detail;
  const here = detail.kind === 'file' && detail.permissions !== undefined;
  if (
    here &&
    IMAGE.test(path) &&
    size <= MAX_IMAGE_BYTES &&
    index_id !== undefined &&
    node_id !== undefined
  ) {
    return (
      <Panel title="Preview">
        <img class="file-image" src={`/api/indexes/${index_id}/nodes/${node_id}/content`} alt={path} />
      </Panel>
    );
  }
  return here && size <= MAX_TEXT_BYTES ? <TextPreview path={path} /> : null;
}

function TextPreview({ path }: { readonly path: string }) {
  const { answer } = useAnswer('file_view', { path, line: 1, lines: LINES_SHOWN });
  const view = answer?.data;
  // An error means that it is not text.
  if (view === undefined) return null;
  return (
    <Panel title="Preview" aside={<a href={pageLinks.code({ file: path })}>Read all</a>}>
      <div class="file-text">
        <CodeText path={path} text={view.text} firstLine={1} block />
      </div>
    </Panel>
  );
}
