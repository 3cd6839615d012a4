import { OPERATIONS } from '../app/operations.ts';
import { type CommandFacts, commandFacts } from './command-facts.ts';

/** All operations as commands see them. The build replaces this file with its data, so that commands start without them. */
export const COMMANDS: readonly CommandFacts[] = OPERATIONS.map(commandFacts);
