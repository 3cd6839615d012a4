import { useMemo, useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { countText } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { alignCalls, isSame, type SideCall } from './aligned-calls.ts';

/** Longer sessions are compared up to here. */
const MOST = 2_000;
/** This many same calls in a row are folded to one line. */
const FOLDED = 4;

type Line =
  | { readonly kind: 'pair'; readonly at: number }
  | { readonly kind: 'same'; readonly from: number; readonly count: number };

/** The calls of two sessions side by side: the same ones on one line, what differs beside each other. */
export function AlignedSteps({ a, b }: { readonly a: string; readonly b: string }) {
  const left = useCalls(a);
  const right = useCalls(b);
  const [whole, setWhole] = useState(false);
  const pairs = useMemo(() => (left && right ? alignCalls(left, right) : undefined), [left, right]);
  const same = pairs?.filter(isSame).length ?? 0;
  const lines = useMemo(() => {
    const found: Line[] = [];
    for (let at = 0; at < (pairs?.length ?? 0); ) {
      let to = at;
      while (pairs?.[to] !== undefined && isSame(pairs[to] ?? { a: undefined, b: undefined })) to++;
      if (!whole && to - at >= FOLDED) {
        found.push({ kind: 'same', from: at, count: to - at });
        at = to;
      } else found.push({ kind: 'pair', at: at++ });
    }
    return found;
  }, [pairs, whole]);
  const cut = (left?.length ?? 0) >= MOST || (right?.length ?? 0) >= MOST;
  return (
    <Panel
      title="Call by call"
      class="aligned"
      aside={
        pairs && (
          <>
            <span>
              {countText(same)} the same, {countText(pairs.length - same)} different
              {cut && `, of the first ${countText(MOST)} calls`}
            </span>
            <button type="button" class="button small" aria-pressed={whole} onClick={() => setWhole(!whole)}>
              {whole ? 'Fold what is the same' : 'Show all'}
            </button>
          </>
        )
      }
    >
      {pairs === undefined && <Skeleton lines={10} />}
      {pairs?.length === 0 && <p class="hint-line">Neither session made a call.</p>}
      {pairs && pairs.length > 0 && (
        <VirtualList
          label="Calls of both sessions"
          class="aligned-list"
          rows={lines}
          keyOf={(line) => (line.kind === 'pair' ? `p${line.at}` : `s${line.from}`)}
          rowHeight={30}
          render={(line) => {
            if (line.kind === 'same')
              return <p class="aligned-same quiet">{countText(line.count)} times the same call in both</p>;
            const pair = pairs[line.at] ?? { a: undefined, b: undefined };
            return (
              <div class={isSame(pair) ? 'aligned-pair' : 'aligned-pair differs'}>
                <CallCell session={a} call={pair.a} />
                <CallCell session={b} call={pair.b} />
              </div>
            );
          }}
        />
      )}
    </Panel>
  );
}

function CallCell({ session, call }: { readonly session: string; readonly call: SideCall | undefined }) {
  if (call === undefined) return <span class="aligned-none" />;
  return (
    <a
      class={call.status === 'failed' ? 'aligned-call cut failed' : 'aligned-call cut'}
      href={pageLinks.session(session, { turn: call.turn, event: call.event })}
      title={`${call.tool} ${call.what}${call.status === 'ok' ? '' : `, ${call.status}`}`}
    >
      <strong>{call.tool}</strong> <code>{call.what}</code>
    </a>
  );
}

/** The calls of a session in order; paths are those inside the repository, so that worktrees can be compared. */
function useCalls(session: string): readonly SideCall[] | undefined {
  // Ids of sessions have no quotes; whatever else is in the address finds nothing.
  const id = session.replaceAll(/[^\w-]/g, '');
  const query = `SELECT turn, event, tool, COALESCE(repo_path, target, command, ''), status FROM calls WHERE session = '${id}' ORDER BY event LIMIT ${MOST}`;
  const { answer, error } = useAnswer('sql', { query, limit: MOST });
  return useMemo(
    () =>
      answer?.data.rows.map(
        ([turn, event, tool, what, status]): SideCall => ({
          turn: Number(turn),
          event: Number(event),
          tool: String(tool),
          what: String(what).split('\n')[0] ?? '',
          status: String(status),
        }),
      ) ?? (error ? [] : undefined),
    [answer, error],
  );
}
