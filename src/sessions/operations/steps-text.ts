import { shortCount } from '../../contract/format.ts';
import { isObject, parseJson } from '../model/log-json.ts';
import { snip } from './session-text.ts';
import type { CallCard, StepCard } from './step-card.ts';

/** Characters of a text on one line. */
const MAX_PROSE_LENGTH = 300;
const MAX_CALL_LENGTH = 200;

/** The steps of a turn, one line for each thing the model thought, said or did. */
export function stepsText({
  session_id,
  turn_index,
  total_steps,
  steps,
}: {
  readonly session_id: string;
  readonly turn_index: number;
  readonly total_steps: number;
  readonly steps: readonly StepCard[];
}): string {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return `${session_id} turn ${turn_index}, no steps`;
  const range = first === last ? `step ${first.step_index}` : `steps ${first.step_index}-${last.step_index}`;
  return [`${session_id} turn ${turn_index}, ${range} of ${total_steps}`, ...steps.flatMap(stepLines)].join(
    '\n',
  );
}

function stepLines(step: StepCard): readonly string[] {
  const tokens = step.tokens ? ` ${shortCount(step.tokens)} tok` : '';
  return [
    `${step.step_index} e${step.event_index}${tokens}`,
    ...prose('thinks', step.reasoning, step.reasoning_events),
    ...prose('says', step.message, step.message_events),
    ...step.tools.flatMap(callLines),
  ];
}

function prose(
  verb: string,
  text: string | undefined,
  events: readonly number[] | undefined,
): readonly string[] {
  if (text === undefined || text === '(encrypted)') return [];
  const from = events?.[0] === undefined ? '' : ` [more: e${events[0]}]`;
  return [` ${verb}: ${snip(text, MAX_PROSE_LENGTH)}${from}`];
}

function callLines(call: CallCard): readonly string[] {
  const code = call.exit_code === undefined || call.exit_code === 0 ? '' : `exit ${call.exit_code}`;
  const status = [call.status === 'ok' ? '' : call.status, code].filter((word) => word !== '').join(' ');
  const started = call.subagent === undefined ? '' : ` → ${call.subagent}`;
  const result =
    call.result === undefined ? [] : [`  e${call.result_event} ${snip(call.result, MAX_CALL_LENGTH)}`];
  const head = ` e${call.event_index} ${call.name} ${snip(briefly(call.arguments), MAX_CALL_LENGTH)}${started}`;
  return [status === '' ? head : `${head}  ${status}`, ...result];
}

/** Arguments that say how a call is made, not what it does. */
const NOT_TOLD = new Set(['description', 'timeout', 'timeout_ms', 'run_in_background', 'justification']);

/** Arguments in short form: a single one without its name, texts without quotes. */
function briefly(json: string): string {
  const args = parseJson(json);
  if (!isObject(args)) return json;
  const entries = Object.entries(args).filter(
    ([name]) => !NOT_TOLD.has(name) || Object.keys(args).length === 1,
  );
  const [only] = entries;
  const value = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given));
  return entries.length === 1
    ? value(only?.[1])
    : entries.map(([name, given]) => `${name}=${value(given)}`).join(' ');
}
