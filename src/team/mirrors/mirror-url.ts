import { isAbsolute } from 'node:path';
import { fail } from '../../contract/errors.ts';
import { plainRemote } from '../git-remote.ts';

const MAX_URL_CHARS = 2_000;
const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?';
/** Paths must not contain characters that a terminal, or a shell at the other end of ssh, would interpret. */
const PATH = '[\\w.~+/@%-]+';
const FORMS = [
  new RegExp(`^https://${HOST}(?::\\d{1,5})?/${PATH}$`),
  new RegExp(`^ssh://(?:[\\w.-]+@)?${HOST}(?::\\d{1,5})?/${PATH}$`),
  new RegExp(`^(?:\\w[\\w.-]*@)?${HOST}:(?!:|//)${PATH}$`),
];

/** An address that git may clone from. */
export interface MirrorUrl {
  readonly url: string;
  /** The name of the project, the same as for sessions in its checkouts. */
  readonly project: string;
}

/** Parses an address. Whatever git would take for an option, a command or another protocol is refused. */
export function mirrorUrl(given: string): MirrorUrl {
  if (/^https?:\/\/[^/]*@/.test(given))
    fail(
      'invalid_parameter',
      'The address has a user name or a password in it, and Pinhole stores no passwords. Leave them out, and give them to git: git config credential.helper.',
    );
  const path = given.startsWith('file://') ? given.slice('file://'.length) : given;
  const local = isAbsolute(path) && !/[\p{Cc}]/u.test(path) && !path.split('/').includes('..');
  const known =
    given.length <= MAX_URL_CHARS &&
    (local || FORMS.some((form) => form.test(given))) &&
    !given.split(/[/:]/).some((part) => part === '..' || part.startsWith('-'));
  const project = local ? path.replace(/\/+$/, '').replace(/\.git$/, '') : plainRemote(given);
  if (!known || project === undefined || project === '')
    fail(
      'invalid_parameter',
      'A mirror is made from https://host/path, ssh://user@host/path, user@host:path, or the path of a repository on this machine.',
    );
  return { url: local ? `file://${path}` : given, project };
}
