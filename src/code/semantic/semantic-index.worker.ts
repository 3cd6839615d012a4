import { buildSegment } from './build-segment.ts';
import { serveAtOnce } from './serve.ts';

const methods = { build: buildSegment };
export type IndexMethods = typeof methods;

serveAtOnce(methods);
