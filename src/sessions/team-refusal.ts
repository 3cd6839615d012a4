import { fail } from '../contract/errors.ts';

/** The error of operations that need the logs themselves, or their index in a file: a team server has neither. */
export function notOnTeamServer(what: string, instead: string): never {
  fail('conflict', `${what} is not available on a team server yet. ${instead}`);
}

const archive = async (): Promise<never> =>
  notOnTeamServer('The archive of logs', 'Use it on the machines that have the logs.');

/** Parts of {@link Sessions.archive} that a team server refuses. */
export const REFUSED_ARCHIVE = {
  set: archive,
  deleted: archive,
  forget: async (): Promise<never> =>
    notOnTeamServer('Forgetting a session', 'Ask the administrator of the database to delete its log.'),
};
