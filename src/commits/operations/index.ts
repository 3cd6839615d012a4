import { blame } from './blame.ts';
import { commitSessions } from './commit-sessions.ts';
import { howFixed } from './how-fixed.ts';

export const COMMIT_OPERATIONS = [commitSessions, blame, howFixed] as const;
