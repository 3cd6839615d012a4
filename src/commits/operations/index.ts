import { blame } from './blame.ts';
import { commits } from './commits.ts';

export const COMMIT_OPERATIONS = [commits, blame] as const;
