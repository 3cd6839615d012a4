import { blame } from './blame.ts';
import { commitSessions } from './commit-sessions.ts';

export const COMMIT_OPERATIONS = [commitSessions, blame] as const;
