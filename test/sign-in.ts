import type { Background } from '../src/daemon/background.ts';

/** The headers of a signed-in page: the cookie from a sign-in link, and the page's origin. */
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

/** The header that a script sends. */
export function scriptHeaders({ token }: Pick<Background, 'token'>): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
