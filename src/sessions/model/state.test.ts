import { expect, test } from 'vitest';
import { newState, packState, unpackState } from './state.ts';

test('a state comes back as it was', () => {
  const state = newState();
  state.links.set('__proto__', 3);
  state.identities.add(7);
  state.facts.cwd = '/srv';
  state.unknown.set('new-type', 2);
  expect(unpackState(packState(state))).toEqual(state);
});

test('a state of another version is refused', () => {
  expect(unpackState('{"events":3}')).toBeUndefined();
  expect(unpackState('not json')).toBeUndefined();
});
