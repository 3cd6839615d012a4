import { serve } from '../../threads/serve.ts';
import { packedSweep } from './sweep-tree.ts';

// What crosses is copied: Node would detach the buffer only to save a copy of a few megabytes.
const methods = { sweep: packedSweep };
export type SweepMethods = typeof methods;

serve(methods);
