import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Badge, Figure, Panel } from '../ui/basics.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { SelectionLink } from './named-links.tsx';
import type { PlanOutcome } from './types.ts';

/** A clean-up plan: what it would move to the trash, a button that does it, and undo. */
export function PlanView({ id }: { readonly id: string }) {
  const loaded = useAnswer('disk_plan', { plan_id: id });
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PlanOutcome & { readonly undone: boolean }>();
  const [problem, setProblem] = useState<string>();
  const plan = loaded.answer?.data;
  useTitle(`Clean-up plan ${id}`);
  if (loaded.error && !plan)
    return (
      <Failure error={loaded.error} retry={loaded.reload}>
        <a href={pageLinks.disk}>Indexes, selections, queries and plans</a>
      </Failure>
    );
  if (plan === undefined) return <Skeleton lines={10} />;
  const warned = (plan.sample ?? []).some(({ warnings }) => warnings !== undefined && warnings.length > 0);
  const start = async (work: 'run' | 'undo') => {
    setBusy(true);
    setAsking(false);
    setProblem(undefined);
    const answer =
      work === 'run'
        ? call('disk_plan_run', { plan_id: id, confirm: plan.items })
        : call('disk_plan_undo', { plan_id: id });
    await answer.then(
      ({ data }) => setOutcome({ ...data, undone: work === 'undo' }),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
    setBusy(false);
    loaded.reload();
  };
  return (
    <div class="view">
      <div class="view-head">
        <h1>Clean-up plan</h1>
        <Badge tone={plan.status === 'done' ? 'ok' : plan.status === 'undone' ? 'warning' : 'neutral'}>
          {plan.status === 'planned' ? 'draft, nothing moved yet' : plan.status}
        </Badge>
        <span class="quiet">
          of <SelectionLink selection={plan.selection_id} />
        </span>
        <span class="spacer" />
        {plan.status === 'planned' && (
          <button
            type="button"
            class="button danger"
            disabled={busy || plan.items === 0}
            onClick={() => setAsking(true)}
          >
            Move to the trash…
          </button>
        )}
        {plan.status === 'done' && (
          <button type="button" class="button" disabled={busy} onClick={() => void start('undo')}>
            Undo
          </button>
        )}
      </div>
      <dl class="figures">
        <Figure
          value={sizeText(plan.freed)}
          label={plan.status === 'done' ? 'in the trash' : 'will be freed'}
        />
        <Figure value={countText(plan.items)} label="items" />
        <Figure value={countText(plan.files)} label="files" />
        <Figure value={countText(plan.dirs)} label="folders" />
        {plan.missing && <Figure value={countText(plan.missing)} label="no longer on disk" tone="warning" />}
      </dl>
      {problem && <p class="failed">{problem}</p>}
      {outcome && (
        <p role="status">
          {countText(outcome.moved)} moved {outcome.undone ? 'back' : 'to the trash'},{' '}
          {sizeText(outcome.disk_size)}.
          {(outcome.failures ?? []).map(({ path, reason }) => (
            <span key={path} class="failed">
              {' '}
              {path}: {reason}.
            </span>
          ))}
        </p>
      )}
      {plan.status === 'planned' && Object.keys(plan.warnings).length > 0 && (
        <Panel title="Check before you continue">
          <ul class="rows">
            {Object.entries(plan.warnings).map(([warning, count]) => (
              <li key={warning} class="hint-line">
                <Badge tone="warning">{count}</Badge> {warning}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Largest items">
        <table class="table">
          <thead>
            <tr>
              <th>path</th>
              <th class="num">on disk</th>
              {warned && <th>warnings</th>}
            </tr>
          </thead>
          <tbody>
            {(plan.sample ?? []).map((item) => (
              <tr key={item.path}>
                <td class="mono cut" title={item.path}>
                  <MiddleCut text={item.path} />
                </td>
                <td class="num">{sizeText(item.disk_size)}</td>
                {warned && <td class="warning cut">{item.warnings?.join(', ')}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      {asking && (
        <Dialog title="Move to the trash?" onClose={() => setAsking(false)}>
          <div class="dialog-body">
            <p>
              {countOf(plan.items, 'item')} ({sizeText(plan.disk_size)}) will be moved to the system's trash.
              Items that changed since the plan was made are skipped. You can undo this.
            </p>
            <div class="toolbar">
              <button type="button" class="button danger" onClick={() => void start('run')}>
                Move {countOf(plan.items, 'item')} to the trash
              </button>
              <button type="button" class="button" onClick={() => setAsking(false)}>
                Cancel
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
