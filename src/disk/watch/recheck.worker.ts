import { setTimeout as pause } from 'node:timers/promises';
import type { CallContext } from '../../threads/messages.ts';
import { serve } from '../../threads/serve.ts';
import { treeOver } from '../tree/tree-columns.ts';
import { type Rechecked, type RecheckOrder, recheckSlices } from './recheck-folders.ts';

/* Checks every file of many folders once, in the background, and leaves a third of a core to other work. */

const SLICE_MS = 20;
const PAUSE_MS = 10;

async function recheck(
  { meta, buffer, folders }: RecheckOrder,
  { tell }: CallContext<Rechecked>,
): Promise<void> {
  for (const result of recheckSlices(treeOver(buffer, meta), folders, SLICE_MS)) {
    tell(result);
    await pause(PAUSE_MS);
  }
}

const methods = { recheck };
export type RecheckMethods = typeof methods;

serve(methods);
