import { gitOutput, startGit } from '../../contract/run-git.ts';
import type { NamedSession } from './named-sessions.ts';

/** Where Entire keeps its checkpoints: `ab/cdef012345/0/metadata.json`, one folder per session. */
const BRANCH = 'entire/checkpoints/v1';
const REFS = [`refs/heads/${BRANCH}`, `refs/remotes/origin/${BRANCH}`];
const MAX_SESSIONS = 4;
const MAX_CHECKPOINTS = 20_000;

/** The sessions that checkpoints were made from, if their branch is available here. */
export async function checkpointSessions(
  root: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly NamedSession[]>> {
  const found = new Map<string, NamedSession[]>();
  const wanted = [...new Set(ids)].filter((id) => /^[0-9a-f]{6,40}$/.test(id)).slice(0, MAX_CHECKPOINTS);
  if (wanted.length === 0) return found;
  const ref = (await gitOutput(root, ['for-each-ref', '--format=%(refname)', ...REFS], signal))
    ?.split('\n')
    .find(Boolean);
  if (ref === undefined) return found;
  const git = startGit(root, ['cat-file', '--batch'], signal);
  const places = wanted.flatMap((id) =>
    Array.from({ length: MAX_SESSIONS }, (_, at) => ({
      id,
      name: `${ref}:${id.slice(0, 2)}/${id.slice(2)}/${at}/metadata.json`,
    })),
  );
  git.feed(places.map(({ name }) => name));
  const pieces: Buffer[] = [];
  for await (const piece of git.stdout) pieces.push(piece);
  const answer = Buffer.concat(pieces);
  let at = 0;
  for (const { id } of places) {
    const end = answer.indexOf(10, at);
    if (end < 0) break;
    const [, size] = / blob (\d+)$/.exec(answer.toString('utf8', at, end)) ?? [];
    at = end + 1;
    if (size === undefined) continue;
    const session = /"session_id":\s*"([^"\\]{6,100})"/.exec(
      answer.toString('utf8', at, at + Number(size)),
    )?.[1];
    at += Number(size) + 1;
    // Older versions put the date before the agent's id.
    if (session !== undefined)
      found.set(id, [
        ...(found.get(id) ?? []),
        { session: session.replace(/^\d{4}-\d\d-\d\d-/, ''), reason: `Entire made checkpoint ${id}` },
      ]);
  }
  return found;
}
