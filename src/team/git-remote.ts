import { remoteAddress } from '../sessions/ingest/project-of.ts';

/**
 * The address of a repository, the same however it was cloned: host and path, without scheme, user, port and `.git`.
 *
 * @example plainRemote('git@github.com:acme/api.git') // 'github.com/acme/api'
 */
export function plainRemote(address: string): string | undefined {
  const [, host, path] =
    /^(?:[a-z][a-z+.-]*:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(address) ??
    /^(?:[^@/\s]*@)?([^/:\s]{2,}):\/*(.+)$/.exec(address) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  return `${host.toLowerCase()}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

/** The name of a project on every machine: the address of its remote or, without one, its folder. */
export function projectName(project: string): string {
  const address = remoteAddress(project);
  return (address === undefined ? undefined : plainRemote(address)) ?? project;
}
