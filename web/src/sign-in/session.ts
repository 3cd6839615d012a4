import { signal } from '@preact/signals';
import { ApiError, refreshAll, send, signedOut } from '../data/client.ts';

/** The page cannot read the cookie; it only remembers that it signed in, so that it can offer to sign out. */
const KEY = 'pinhole.signed-in';
const LINK = /^#sign-in=([\w-]+)$/;

export const signedIn = signal(stored());
export const signInProblem = signal<string | undefined>(undefined);

/** Another tab of this browser may sign in: its cookie is valid for all tabs. */
export function startSession(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY || newValue === null || !signedOut.value) return;
    signedIn.value = true;
    signedOut.value = false;
    refreshAll();
  });
  // Opening a link in the tab of the sign-in page only changes the hash.
  addEventListener('hashchange', () => void signInByLink());
}

/** Signs in with the code of a sign-in link, and removes the code from the address at once. */
export async function signInByLink(): Promise<void> {
  const [, code] = LINK.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  await signIn({ code });
}

export async function signIn(proof: { readonly token: string } | { readonly code: string }): Promise<void> {
  try {
    await send('POST', '/api/sign-in', { body: proof });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    signInProblem.value = error.message;
    return;
  }
  signInProblem.value = undefined;
  remember(true);
  signedOut.value = false;
  refreshAll();
}

/** Whether people can sign in through the provider of a team server. */
export async function hasProvider(): Promise<boolean> {
  const answer = await fetch('/api/sign-in').catch(() => undefined);
  const said: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  return JSON.stringify(said) === '{"data":{"provider":true}}';
}

/** Leaves the page; the provider sends the browser back to this place. */
export function leaveForProvider(): void {
  remember(true);
  const { pathname, search } = location;
  location.assign(`/api/sign-in/provider?to=${encodeURIComponent(pathname + search)}`);
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/api/sign-in').catch(() => {});
  remember(false);
  // Nothing that was on the page may stay in memory.
  location.reload();
}

function remember(is: boolean): void {
  signedIn.value = is;
  try {
    if (is) localStorage.setItem(KEY, String(Date.now()));
    else localStorage.removeItem(KEY);
  } catch {
    // No access to storage: the page offers to sign out until it is closed.
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
