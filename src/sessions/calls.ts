import { callTo } from '../contract/next-call.ts';
import type { fileHistoryInput } from './operations/file-history.ts';
import type { getEventDetailsInput } from './operations/get-event-details.ts';
import type { getProjectInfoInput } from './operations/get-project-info.ts';
import type { getSessionSummaryInput } from './operations/get-session-summary.ts';
import type { getSessionTurnsInput } from './operations/get-session-turns.ts';
import type { getTurnStepsInput } from './operations/get-turn-steps.ts';
import type { listSessionsInput } from './operations/list-sessions.ts';
import type { searchInput } from './operations/search-scope.ts';
import type { sessionsArchiveInput } from './operations/sessions-archive.ts';
import type { sessionsDoctorInput } from './operations/sessions-doctor.ts';

/** Next calls that answers and errors about sessions suggest. */
export const callListSessions = callTo<typeof listSessionsInput>('list_sessions');
export const callProjectInfo = callTo<typeof getProjectInfoInput>('get_project_info');
export const callSessionSummary = callTo<typeof getSessionSummaryInput>('get_session_summary');
export const callSessionTurns = callTo<typeof getSessionTurnsInput>('get_session_turns');
export const callTurnSteps = callTo<typeof getTurnStepsInput>('get_turn_steps');
export const callEventDetails = callTo<typeof getEventDetailsInput>('get_event_details');
export const callSessionsDoctor = callTo<typeof sessionsDoctorInput>('sessions_doctor');
export const callSessionsArchive = callTo<typeof sessionsArchiveInput>('sessions_archive');
export const callFileHistory = callTo<typeof fileHistoryInput>('file_history');
export const callSearchEvents = callTo<typeof searchInput>('search_event_previews');
