import { VIEWS } from '../views.ts';
import { helpOpen } from './help.tsx';
import { plainKey } from './keys.ts';
import { go } from './router.ts';
import { switchTheme } from './theme.ts';

/** The second key of a pair must follow this soon. */
const PAIR_MS = 900;

/** Keys that work in every view; views add their own. */
export function startShortcuts(): void {
  let pressedG = Number.NEGATIVE_INFINITY;
  addEventListener('keydown', (event) => {
    const key = plainKey(event);
    if (key === undefined) return;
    const view = event.timeStamp - pressedG < PAIR_MS ? VIEWS.find((one) => one.key === key) : undefined;
    pressedG = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (view !== undefined) go(view.path);
    else if (key === '?') helpOpen.value = true;
    else if (key === 't') switchTheme();
    else return;
    event.preventDefault();
  });
}
