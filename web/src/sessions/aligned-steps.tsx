import { useMemo, useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { countText } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { alignCalls, type CallPair, isSame, type SideCall } from './aligned-calls.ts';

/** Longer sessions are compared up to this call. */
const MAX_CALLS = 2_000;
/** Runs of this many calls that are the same in both sessions, or that only one made, are folded into one line. */
const FOLDED = { same: 4, one: 8 } as const;

interface Line {
  readonly from: number;
  /** More than 1 for folded calls. */
  readonly count: number;
}

/** Which sessions made a call; pairs of different calls are never folded. */
function sideOf(pair: CallPair | undefined): 'same' | 'a' | 'b' | undefined {
  if (pair === undefined) return undefined;
  if (isSame(pair)) return 'same';
  return pair.b === undefined ? 'a' : pair.a === undefined ? 'b' : undefined;
}

function foldedLines(pairs: readonly CallPair[], whole: boolean): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < pairs.length; ) {
    const side = sideOf(pairs[from]);
    let to = from + 1;
    while (side !== undefined && to < pairs.length && sideOf(pairs[to]) === side) to++;
    const folds = !whole && to - from >= FOLDED[side === 'same' ? 'same' : 'one'];
    lines.push({ from, count: folds ? to - from : 1 });
    from = folds ? to : from + 1;
  }
  return lines;
}

/** The calls of two sessions side by side: matching calls on one line, different ones facing each other. */
export function AlignedSteps(props: {
  readonly a: string;
  readonly b: string;
  /** What people call the two sessions. */
  readonly names: { readonly a: string; readonly b: string };
}) {
  const { a, b, names } = props;
  const left = useCalls(a);
  const right = useCalls(b);
  const [whole, setWhole] = useState(false);
  const pairs = useMemo(() => (left && right ? alignCalls(left, right) : undefined), [left, right]);
  const same = pairs?.filter(isSame).length ?? 0;
  const lines = useMemo(() => foldedLines(pairs ?? [], whole), [pairs, whole]);
  const cut = (left?.length ?? 0) >= MAX_CALLS || (right?.length ?? 0) >= MAX_CALLS;
  return (
    <Panel
      title="Call by call"
      class="aligned"
      aside={
        pairs && (
          <>
            <span>
              {countText(same)} the same, {countText(pairs.length - same)} different
              {cut && `, of the first ${countText(MAX_CALLS)} calls`}
            </span>
            <button type="button" class="button small" aria-pressed={whole} onClick={() => setWhole(!whole)}>
              {whole ? 'Fold identical calls' : 'Show all'}
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
          keyOf={({ from, count }) => `${from} ${count}`}
          rowHeight={30}
          render={({ from, count }) => {
            const pair = pairs[from] ?? { a: undefined, b: undefined };
            if (count > 1) {
              const side = sideOf(pair);
              const where =
                side === 'same' ? 'the same in both' : `only in ${side === 'a' ? names.a : names.b}`;
              return (
                <p class="aligned-same cut quiet">
                  {countText(count)} calls {where}
                </p>
              );
            }
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

/** The calls of a session in order; paths are relative to the repository, so that worktrees can be compared. */
function useCalls(session: string): readonly SideCall[] | undefined {
  // Session ids have no quotes; anything else in the address finds nothing.
  const id = session.replaceAll(/[^\w-]/g, '');
  const query = `SELECT turn, event, tool, COALESCE(repo_path, target, command, ''), status FROM calls WHERE session = '${id}' ORDER BY event LIMIT ${MAX_CALLS}`;
  const { answer, error } = useAnswer('sql', { query, limit: MAX_CALLS });
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
