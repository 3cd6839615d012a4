import { serve } from '../../threads/serve.ts';
import type { QueryMethods } from '../query-messages.ts';
import { TABLES } from '../subjects.ts';
import { createQueryConnection } from './query-connection.ts';
import { type Clock, queryFunctions } from './query-functions.ts';
import { LIMITS_VARIABLE, limitsFrom, watchLimits } from './query-limits.ts';
import { createSandbox } from './sandbox.ts';

/*
 * The process that runs queries. SQLite cannot be interrupted, so the whole process is killed when a query takes too
 * long.
 */

let clock: Clock = { now: 0, zone: 'UTC' };
const functions = queryFunctions(() => clock);
const sandbox = createSandbox(TABLES, Object.keys(functions));
const connection = createQueryConnection(functions);
watchLimits(limitsFrom(process.env[LIMITS_VARIABLE]));

serve<QueryMethods>({
  look: (query) => sandbox.look(query),
  async run(request, { tell }) {
    clock = request;
    // Compiled again here, because this is what keeps a query from naming anything else.
    const { runnable } = sandbox.look(request.query);
    return connection.run({ ...request, query: runnable }, (plan) => tell({ plan }));
  },
});
