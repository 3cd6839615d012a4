import { serve } from '../../threads/serve.ts';
import { ask, load, unload, warm } from './semantic-searcher.ts';

const methods = { ask, load, unload, warm };
export type SearchMethods = typeof methods;

serve(methods);
