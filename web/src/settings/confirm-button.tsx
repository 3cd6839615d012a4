import { useState } from 'preact/hooks';

/** A button that asks for confirmation before it acts, and says what went wrong. */
export function ConfirmButton(props: {
  readonly label: string;
  /** The question, such as `Delete this index?`. */
  readonly question: string;
  readonly onConfirm: () => Promise<unknown>;
}) {
  const [state, setState] = useState<'asking' | 'working' | { readonly problem: string }>();
  const confirm = async () => {
    setState('working');
    try {
      await props.onConfirm();
      setState(undefined);
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  };
  if (state === 'asking' || state === 'working') {
    return (
      <span class="confirm">
        {props.question}{' '}
        <button
          type="button"
          class="button small danger"
          disabled={state === 'working'}
          onClick={() => void confirm()}
        >
          {props.label}
        </button>{' '}
        <button type="button" class="button small" onClick={() => setState(undefined)}>
          Cancel
        </button>
      </span>
    );
  }
  return (
    <span class="confirm">
      {state && <span class="failed">{state.problem}</span>}{' '}
      <button type="button" class="button small plain" onClick={() => setState('asking')}>
        {props.label}…
      </button>
    </span>
  );
}
