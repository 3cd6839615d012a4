import { callTimeText, durationText, shortCount } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { type Call, contextAt, nearest, type StripModel, stripAt, turnAt } from './strips-draw.ts';

/** What the strip under the pointer says at a place on the axis. */
export function stripTip(model: StripModel, place: number, y: number): string | undefined {
  const strip = stripAt(y);
  if (strip === 'context') return contextTip(model, place);
  const call = strip === 'calls' ? nearest(model, place) : undefined;
  return call === undefined ? turnTip(model, place) : callTip(call);
}

function contextTip(model: StripModel, place: number): string | undefined {
  if (model.peak === 0) return turnTip(model, place);
  const of = model.window === undefined ? '' : ` of ${shortCount(model.window)}`;
  return `context ${shortCount(contextAt(model, place))}${of} tokens`;
}

function turnTip(model: StripModel, place: number): string | undefined {
  const turn = turnAt(model, place);
  if (turn === undefined) return undefined;
  return [
    turn.tokens === undefined
      ? `turn ${turn.index}`
      : `turn ${turn.index}: ${shortCount(turn.tokens)} tokens`,
    ...(turn.seconds === undefined ? [] : [durationText(turn.seconds)]),
    ...(turn.bad ? ['failed'] : []),
  ].join(', ');
}

function callTip(call: Call): string {
  return [
    `turn ${call.turn}, step ${call.step}: ${call.name}`,
    ...(call.tookMs === undefined ? [] : [callTimeText(call.tookMs)]),
    ...(call.status === 1 ? ['failed'] : []),
    shortTime(call.ms),
  ].join(', ');
}
