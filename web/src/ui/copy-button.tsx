import { useState } from 'preact/hooks';

/** Copies text, and briefly says so. */
export function CopyButton(props: {
  readonly label: string;
  readonly text: () => string;
  readonly title?: string;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState(
      await navigator.clipboard.writeText(props.text()).then(
        () => 'copied' as const,
        () => 'failed' as const,
      ),
    );
    setTimeout(() => setState('idle'), 1_500);
  };
  return (
    <button type="button" class="button small" title={props.title} onClick={() => void copy()}>
      {state === 'copied' ? 'Copied' : state === 'failed' ? 'Copying is not allowed here' : props.label}
    </button>
  );
}
