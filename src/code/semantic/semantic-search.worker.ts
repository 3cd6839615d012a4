import { ask, load, unload } from './searcher.ts';
import { serve } from './serve.ts';

const methods = { ask, load, unload };
export type SearchMethods = typeof methods;

serve(methods);
