import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ApiError } from '../data/client.ts';
import type { DataOf } from '../data/operations.ts';
import { pageLinks } from '../frame/router.ts';
import { Badge, type Tone } from '../ui/basics.tsx';
import { countOf } from '../ui/format.ts';
import { Ago } from '../ui/time.tsx';
import { Diff } from './diff.tsx';

type Fixed = DataOf<'how_fixed'>;
type Fix = Fixed['fixes'][number];

const STILL: Readonly<Record<Fix['edits'][number]['still_there'], readonly [tone: Tone, words: string]>> = {
  yes: ['ok', 'still there'],
  partly: ['warning', 'changed since'],
  no: ['neutral', 'no longer there'],
  unknown: ['neutral', 'not readable here'],
};
/** The operation accepts no more than this. */
const MAX_ERROR_LENGTH = 20_000;

/** For a failure: the edits that made the same command pass before, in any session. */
export function HowFixed({ error }: { readonly error: string }) {
  const [state, setState] = useState<'closed' | 'looking' | Fixed | ApiError>('closed');
  const look = async () => {
    setState('looking');
    try {
      setState((await call('how_fixed', { error: error.slice(-MAX_ERROR_LENGTH) })).data);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setState(problem);
    }
  };
  if (state === 'closed' || state === 'looking')
    return (
      <button
        type="button"
        class="button small plain how-fixed-ask"
        disabled={state === 'looking'}
        onClick={() => void look()}
      >
        {state === 'looking' ? 'Looking…' : 'How was this fixed before?'}
      </button>
    );
  if (state instanceof ApiError) return <p class="hint-line failed">{state.message}</p>;
  return (
    <section class="how-fixed" aria-label="How this was fixed before">
      {state.fixes.length === 0 && (
        <p class="quiet">
          {state.seen === 0
            ? 'No session had this error before.'
            : `Seen ${countOf(state.seen, 'time')} before, but the command never passed after it in the same session.`}
        </p>
      )}
      {state.fixes.map((fix) => (
        <FixView key={`${fix.session_id} ${fix.failed_event}`} fix={fix} />
      ))}
    </section>
  );
}

function FixView({ fix }: { readonly fix: Fix }) {
  return (
    <div class="fix">
      <p>
        {fix.likeness === 'same' ? 'The same error' : 'An error of the same kind'} in{' '}
        <a href={pageLinks.session(fix.session_id, { event: fix.failed_event })}>session {fix.session_id}</a>,{' '}
        <Ago at={fix.timestamp} />; <code>{fix.command}</code>{' '}
        <a href={pageLinks.session(fix.session_id, { event: fix.passed_event })}>passed</a> after{' '}
        {fix.edits.length === 0 ? 'no edit' : countOf(fix.edits.length, 'edit')}.
      </p>
      {fix.edits.map((edit) => (
        <div key={edit.event_index}>
          <p>
            <a class="mono" href={pageLinks.session(fix.session_id, { event: edit.event_index })}>
              {edit.path}
            </a>{' '}
            <Badge tone={STILL[edit.still_there][0]}>{STILL[edit.still_there][1]}</Badge>
          </p>
          {edit.diff && <Diff text={edit.diff} path={edit.path} />}
        </div>
      ))}
    </div>
  );
}
