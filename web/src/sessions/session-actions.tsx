import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { pageLinks } from '../frame/router.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { sessionMarkdown } from './session-markdown.ts';
import type { SessionSummary } from './types.ts';

/** Warn about a log that its agent will delete within this time. */
const SOON_MS = 7 * 86_400_000;

/** What can be done with a session. */
export function SessionActions({ summary }: { readonly summary: SessionSummary }) {
  const { resume } = summary;
  return (
    <div class="session-actions">
      <CopyButton label="Copy link" text={() => location.href} />
      {resume && <CopyButton label="Copy resume command" text={() => resume} title={resume} />}
      <ExportButton summary={summary} />
      <a class="button small" href={pageLinks.comparison(summary.id)}>
        Compare…
      </a>
    </div>
  );
}

function ExportButton({ summary }: { readonly summary: SessionSummary }) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const save = async () => {
    setState('busy');
    try {
      const text = await sessionMarkdown(summary.id);
      const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
      const link = Object.assign(document.createElement('a'), { href: url, download: `${summary.id}.md` });
      link.click();
      URL.revokeObjectURL(url);
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <button type="button" class="button small" disabled={state === 'busy'} onClick={() => void save()}>
      {state === 'busy' ? 'Exporting…' : state === 'failed' ? 'Export failed, try again' : 'Export'}
    </button>
  );
}

/** Says when the agent deletes the log, if that is soon, and offers to keep copies of all logs. */
export function KeepCopy({ at, agent }: { readonly at: string; readonly agent: string }) {
  const [kept, setKept] = useState(false);
  const soon = Date.parse(at) - Date.now() < SOON_MS;
  if (!soon) return null;
  if (kept) return <span class="badge ok">Copies of logs are kept from now on</span>;
  return (
    <>
      <span class="badge warning">
        {agent} deletes this log on {at.slice(0, 10)}
      </span>
      <button
        type="button"
        class="button small"
        title="Pinhole then keeps compressed copies of all agent logs on this machine, readable only by you"
        onClick={() =>
          void call('sessions_archive', { keep: 'on' }).then(
            () => setKept(true),
            () => {},
          )
        }
      >
        Keep a copy
      </button>
    </>
  );
}
