import { signal } from '@preact/signals';
import { ApiError, call, refreshAll, signedOut } from '../data/client.ts';

/** What the page remembers: only that it signed in, so that it can offer to sign out. The cookie is not readable. */
const KEY = 'pinhole.signed-in';
const LINK = /^#sign-in=([\w-]+)$/;

export const signedIn = signal(stored());
export const signInProblem = signal<string | undefined>(undefined);

/** Another tab of this browser may be the one that signs in: its cookie is good for all of them. */
export function startSession(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== KEY || newValue === null || !signedOut.value) return;
    signedIn.value = true;
    signedOut.value = false;
    refreshAll();
  });
}

/** Uses a link that signs in; its code is taken out of the address at once. */
export async function signInByLink(): Promise<void> {
  const [, code] = LINK.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  await signIn({ code });
}

export async function signIn(proof: { readonly token: string } | { readonly code: string }): Promise<void> {
  try {
    await call('POST', '/api/sign-in', { body: proof });
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

export async function signOut(): Promise<void> {
  await call('DELETE', '/api/sign-in').catch(() => {});
  remember(false);
  // Nothing of what was shown may stay in memory.
  location.reload();
}

function remember(is: boolean): void {
  signedIn.value = is;
  try {
    if (is) localStorage.setItem(KEY, String(Date.now()));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is closed to us: signing out is offered until the page is left.
  }
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
