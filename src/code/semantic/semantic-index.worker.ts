import { serve } from '../../threads/serve.ts';
import { buildSegment, warm } from './build-segment.ts';

const methods = { build: buildSegment, warm };
export type IndexMethods = typeof methods;

// A build pauses by itself for a more urgent one.
serve(methods, 'at once');
