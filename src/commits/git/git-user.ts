import { gitOutput } from '../../contract/run-git.ts';

/** The user of a checkout according to git's settings; undefined if they name none. */
export async function userOf(
  root: string,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly email: string } | undefined> {
  const text = await gitOutput(root, ['config', '--null', '--get-regexp', '^user\\.(name|email)$'], signal);
  const said = new Map<string, string>();
  for (const entry of text?.split('\0') ?? []) {
    const [key = '', ...value] = entry.split('\n');
    said.set(key, value.join('\n'));
  }
  const name = said.get('user.name') ?? '';
  const email = said.get('user.email') ?? '';
  return name === '' && email === '' ? undefined : { name, email };
}
