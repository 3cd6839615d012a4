import { buildSegment } from './build-segment.ts';
import { serve } from './serve.ts';

const methods = { build: buildSegment };
export type IndexMethods = typeof methods;

serve(methods);
