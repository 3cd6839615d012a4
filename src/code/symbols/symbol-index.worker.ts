import { serve } from '../../threads/serve.ts';
import { copyDatabase, forgetDatabase, indexFiles, parseText } from './index-files.ts';

const methods = { index: indexFiles, parse: parseText, forget: forgetDatabase, copy: copyDatabase };
export type SymbolMethods = typeof methods;

// Files that a question waits for are parsed between those of a batch.
serve(methods, 'at once');
