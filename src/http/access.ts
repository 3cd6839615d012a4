import type { Context, MiddlewareHandler } from 'hono';
import { accessOf, type Operation } from '../contract/operation.ts';
import { refusal } from './guard.ts';
import type { Who } from './person.ts';
import { pathInputs, routesOf } from './routes.ts';

/**
 * Who may call a route: `anyone`; `reader`, with the token for a team or more; `collector`, with a token that collects; `script`, with the user's own token or
 * more; `person`, signed in with a link; `program`, our own programs alone, on the private socket.
 */
export type Access = 'anyone' | 'reader' | 'collector' | 'script' | 'person' | 'program';

export interface AccessRow {
  readonly method: string;
  /** With braces for what differs: `/api/jobs/{job_id}`. */
  readonly path: string;
  readonly access: Access;
}

/** Routes that are not operations. */
const OTHERS: Readonly<Record<string, Access>> = {
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'POST /api/sign-in': 'anyone',
  'DELETE /api/sign-in': 'anyone',
  'GET /api/sign-in': 'anyone',
  'GET /api/sign-in/provider': 'anyone',
  'GET /api/sign-in/callback': 'anyone',
  'GET /.well-known/oauth-protected-resource': 'anyone',
  'GET /.well-known/oauth-protected-resource/mcp': 'anyone',
  'GET /metrics': 'reader',
  'GET /api/openapi.json': 'reader',
  'GET /api/live': 'reader',
  'GET /api/jobs/{job_id}/events': 'reader',
  'GET /api/code/matches': 'reader',
  'GET /api/indexes/{index_id}/export': 'reader',
  // Downloads are not redacted.
  'GET /api/indexes/{index_id}/nodes/{node_id}/content': 'person',
  'POST /api/highlight': 'reader',
  'POST /api/collect': 'collector',
  'GET /mcp': 'reader',
  'POST /mcp': 'reader',
  'DELETE /mcp': 'reader',
  'GET /internal/hello': 'program',
  'POST /internal/run': 'program',
  'POST /internal/grep': 'program',
  'POST /internal/page-link': 'program',
  'POST /internal/rotate-token': 'program',
  'POST /internal/stop': 'program',
};

/**
 * Every route with who may call it, except the files of the page, which are for anyone and hold no data. A request that
 * has no row here reaches nothing.
 */
export function accessTable(operations: readonly Operation<never>[]): readonly AccessRow[] {
  const others = Object.entries(OTHERS).map(([route, access]) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path, access };
  });
  const declared = routesOf(operations).map(({ method, path, operation }) => {
    // REST passes no input to an operation that changes something, so this shows a state.
    const shows = method === 'GET' && !operation.readOnly && pathInputs(path).length === 0;
    return { method, path, access: shows ? 'reader' : accessOf(operation) };
  });
  return [...others, ...declared];
}

/** What each kind of proof opens. */
const OPENS: Readonly<Record<Who, readonly Access[]>> = {
  // Its scopes say whether it collects.
  collector: ['anyone'],
  reader: ['anyone', 'reader'],
  script: ['anyone', 'reader', 'collector', 'script'],
  guest: ['anyone', 'reader', 'collector', 'script'],
  person: ['anyone', 'reader', 'collector', 'script', 'person'],
};

const NEEDS: Partial<Record<Access, string>> = {
  reader: 'This team token cannot read. Ask for one with the scope read.',
  collector: 'This team token cannot collect. Ask for one with the scope collect.',
  script:
    'A team token can only read what was allowed. This needs the token that `pinhole token` prints, or a person on the page (pinhole open).',
  person:
    'Only a person can do this, on the page (pinhole open) or at a terminal. Scripts read files with /api/files/view, which redacts secrets.',
};

/** Lets requests through to routes that the table has for who sent them. */
export function admitByTable(
  table: readonly AccessRow[],
  challenge?: (c: Context, error: 'insufficient_scope') => string | undefined,
): MiddlewareHandler {
  const rows = table.map((row) => ({ ...row, pattern: patternOf(row.path) }));
  return async function admitRequest(c, next) {
    const row = rows.find(({ method, pattern }) => method === methodOf(c) && pattern.test(c.req.path));
    const who = c.get('who');
    if (row === undefined || row.access === 'program') return c.notFound();
    const collects = row.access === 'collector' && c.get('holder')?.scopes.includes('collect') === true;
    if (who === undefined || !(collects || OPENS[who].includes(row.access))) {
      const asks = challenge?.(c, 'insufficient_scope');
      if (asks !== undefined) c.header('WWW-Authenticate', asks);
      return refusal(c, 403, 'forbidden', NEEDS[row.access] ?? 'This is not for you.');
    }
    return await next();
  };
}

/** What asks for the headers alone may see what a GET may. */
const methodOf = (c: Context) => (c.req.method === 'HEAD' ? 'GET' : c.req.method);

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
