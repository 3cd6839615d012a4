import type { Background } from '../src/daemon/background.ts';

/** The headers of a person's page: the cookie that a link gives, and where the page is from. */
export async function personHeaders(
  background: Pick<Background, 'port' | 'pageLink'>,
): Promise<{ readonly cookie: string; readonly origin: string }> {
  const origin = `http://127.0.0.1:${background.port}`;
  const [, code] = background.pageLink().split('=');
  const response = await fetch(`${origin}/api/sign-in`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ code }),
  });
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  if (cookie === '') throw new Error(`no cookie: ${response.status} ${await response.text()}`);
  return { cookie, origin };
}

/** The header of a script. */
export function scriptHeaders({ token }: Pick<Background, 'token'>): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
