import { serve } from '../../threads/serve.ts';
import { buildSegment } from './build-segment.ts';

const methods = { build: buildSegment };
export type IndexMethods = typeof methods;

// A build makes way for a more urgent one by itself.
serve(methods, 'at once');
