import type { CallContext } from '../../threads/messages.ts';
import { serve } from '../../threads/serve.ts';
import { type SweepEnd, type SweepPart, walkInParts } from './sweep-tree.ts';

const methods = {
  sweep: (root: string, { tell }: CallContext<SweepPart>): SweepEnd => walkInParts(root, tell, () => {}),
};
export type SweepMethods = typeof methods;

serve(methods);
