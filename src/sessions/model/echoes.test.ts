import { expect, test } from 'vitest';
import { isEcho } from './echoes.ts';

const said = (text: string) => ({ type: 'message' as const, text, echo: true });

test('the second telling by another kind of record is an echo, the second by the same kind is not', () => {
  const state = new Map();
  expect(isEcho(state, said('Done.'), 'event_msg/agent_message')).toBe(false);
  expect(isEcho(state, said('Done.'), 'response_item/message')).toBe(true);
  expect(isEcho(state, said('Done.'), 'response_item/message')).toBe(false);
  expect(isEcho(state, said('Done.'), 'event_msg/agent_message')).toBe(true);
});

test('summaries of reasoning are one text in one place and several in the other', () => {
  const state = new Map();
  const thought = (text: string) => ({ type: 'reasoning' as const, text, echo: true });
  expect(isEcho(state, thought('**Plan**'), 'event_msg/agent_reasoning')).toBe(false);
  expect(isEcho(state, thought('**Plan**\n\n**Do**'), 'response_item/reasoning')).toBe(true);
});

test('encrypted reasoning is never the same', () => {
  const state = new Map();
  const secret = { type: 'reasoning' as const, text: '(encrypted)', echo: true };
  expect(isEcho(state, secret, 'a/x')).toBe(false);
  expect(isEcho(state, secret, 'b/x')).toBe(false);
});
