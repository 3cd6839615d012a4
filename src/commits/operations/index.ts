import { blame } from './blame.ts';
import { commitSessions } from './commit-sessions.ts';
import { commitTrace } from './commit-trace.ts';
import { howFixed } from './how-fixed.ts';
import { sessionForget } from './session-forget.ts';

export const COMMIT_OPERATIONS = [commitSessions, blame, howFixed, commitTrace, sessionForget] as const;
