import { ask, load, unload, warm } from './searcher.ts';
import { serve } from './serve.ts';

const methods = { ask, load, unload, warm };
export type SearchMethods = typeof methods;

serve(methods);
