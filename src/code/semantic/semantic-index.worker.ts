import { serve } from '../../threads/serve.ts';
import { buildSegment } from './build-segment.ts';

const methods = { build: buildSegment };
export type IndexMethods = typeof methods;

// A build pauses by itself for a more urgent one.
serve(methods, 'at once');
