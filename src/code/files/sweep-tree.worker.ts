import { serve } from '../../threads/serve.ts';
import { packedSweep } from './sweep-tree.ts';

// The reply is copied: transferring the buffer would save a copy of only a few megabytes.
const methods = { sweep: packedSweep };
export type SweepMethods = typeof methods;

serve(methods);
