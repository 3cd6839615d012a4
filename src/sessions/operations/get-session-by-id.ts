import { sessionDetails } from './get-session-details.ts';

export const getSessionById = sessionDetails('get_session_by_id');
