import { helpOpen } from './help.tsx';
import { plainKey } from './keys.ts';
import { go } from './router.ts';
import { switchTheme } from './theme.ts';

const PLACES: Readonly<Record<string, string>> = {
  h: '/',
  d: '/disk',
  s: '/sessions',
  c: '/code',
  a: '/activity',
};
const PAIR_MS = 900;

/** Keys that work in every view; views add their own. */
export function startShortcuts(): void {
  let going = 0;
  addEventListener('keydown', (event) => {
    const key = plainKey(event);
    if (key === undefined) return;
    const target = event.timeStamp - going < PAIR_MS ? PLACES[key] : undefined;
    going = key === 'g' ? event.timeStamp : 0;
    if (target !== undefined) go(target);
    else if (key === '?') helpOpen.value = true;
    else if (key === 't') switchTheme();
    else return;
    event.preventDefault();
  });
}
