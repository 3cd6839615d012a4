import { pageLinks } from '../frame/router.ts';
import { countOf, sizeText } from '../ui/format.ts';
import { Ago } from '../ui/time.tsx';
import type { NodeDetail } from './types.ts';

const TEXT_FILE =
  /\.(c|cc|cpp|cs|css|go|h|hpp|html|java|js|json|jsx|kt|lua|md|mjs|php|pl|py|rb|rs|scala|sh|sql|swift|toml|ts|tsx|txt|vue|xml|ya?ml|zig)$/i;

/** Facts about one file or folder, and links to more. */
export function FileFacts({ detail }: { readonly detail: NodeDetail }) {
  const { index_id, node_id } = detail;
  return (
    <div class="panel-body stack">
      <dl class="facts">
        <Fact name="path" value={detail.path} mono />
        <Fact name="size" value={`${sizeText(detail.size)}, ${sizeText(detail.disk_size)} on disk`} />
        {detail.total && (
          <Fact
            name="contents"
            value={`${sizeText(detail.total.disk_size)} on disk in ${countOf(detail.total.files, 'file')} and ${countOf(detail.total.dirs, 'folder')}`}
          />
        )}
        {detail.symlink && <Fact name="link to" value={detail.symlink} mono />}
        {detail.hard_links && <Fact name="hard links" value={String(detail.hard_links)} />}
        {detail.permissions === undefined ? (
          <Fact name="as scanned" value={whyNotOnDisk(detail)} />
        ) : (
          <Fact name="permissions" value={`${detail.permissions} ${detail.owner}`} mono />
        )}
        <div>
          <dt>changed</dt>
          <dd>
            <Ago at={detail.modified_at} />
          </dd>
        </div>
      </dl>
      <div class="toolbar">
        {detail.kind === 'file' && detail.permissions !== undefined && index_id && node_id && (
          <a class="button small" href={`/api/indexes/${index_id}/nodes/${node_id}/content`} download>
            Download
          </a>
        )}
        {detail.kind === 'file' && detail.permissions !== undefined && TEXT_FILE.test(detail.path) && (
          <a class="button small" href={pageLinks.code({ file: detail.path })}>
            Read
          </a>
        )}
        <a class="button small" href={pageLinks.fileHistory(detail.path)}>
          Sessions that touched it
        </a>
      </div>
    </div>
  );
}

/** Why only the index knows this node. */
function whyNotOnDisk({ gone, imported, scanned }: NodeDetail): string {
  const why = gone
    ? 'no longer on disk'
    : imported
      ? 'imported from another machine'
      : 'cannot be opened by name';
  return scanned === undefined ? why : `${why}; ${scanned}`;
}

function Fact({
  name,
  value,
  mono = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly mono?: boolean;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={mono ? 'mono' : ''}>{value}</dd>
    </div>
  );
}
