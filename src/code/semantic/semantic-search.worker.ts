import { serve } from '../../threads/serve.ts';
import { places } from './semantic-places.ts';
import { ask, load, smallest, unload, warm } from './semantic-searcher.ts';

const methods = { ask, load, places, smallest, unload, warm };
export type SearchMethods = typeof methods;

serve(methods);
