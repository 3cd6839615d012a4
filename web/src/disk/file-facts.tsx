import { countText, sizeText } from '../../../src/contract/people.ts';
import { href } from '../frame/router.ts';
import { Ago } from '../ui/time.tsx';
import type { NodeDetail } from './types.ts';

const CODE =
  /\.(c|cc|cpp|cs|css|go|h|hpp|html|java|js|json|jsx|kt|lua|md|mjs|php|pl|py|rb|rs|scala|sh|sql|swift|toml|ts|tsx|txt|vue|xml|ya?ml|zig)$/i;

/** Facts on one file or folder, and where to go from it. */
export function FileFacts({ detail }: { readonly detail: NodeDetail }) {
  const { index_id, node_id } = detail;
  return (
    <div class="panel-body stack">
      <dl class="facts">
        <Fact name="path" value={detail.path} mono />
        <Fact name="size" value={`${sizeText(detail.size)}, ${sizeText(detail.disk_size)} on disk`} />
        {detail.total && (
          <Fact
            name="below it"
            value={`${sizeText(detail.total.disk_size)} on disk in ${countText(detail.total.files)} files, ${countText(detail.total.dirs)} folders`}
          />
        )}
        {detail.symlink && <Fact name="leads to" value={detail.symlink} mono />}
        {detail.hard_links && <Fact name="hard links" value={countText(detail.hard_links)} />}
        {detail.permissions === undefined ? (
          <Fact name="as scanned" value={scannedOnly(detail)} />
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
        {detail.kind === 'file' && detail.permissions !== undefined && CODE.test(detail.path) && (
          <a class="button small" href={href('/code', { file: detail.path })}>
            Read
          </a>
        )}
        <a class="button small" href={href('/sessions/files', { path: detail.path })}>
          Agents that touched it
        </a>
      </div>
    </div>
  );
}

/** Why nothing but the index tells of it. */
function scannedOnly({ gone, imported, scanned }: NodeDetail): string {
  const why = gone ? 'no longer there' : imported ? 'imported, not here' : 'not to be reached by its name';
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
