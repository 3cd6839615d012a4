import { useEffect, useState } from 'preact/hooks';
import { CopyLine } from '../ui/copy-line.tsx';
import { hasProvider, leaveForProvider, signIn, signInProblem } from './session.ts';

/** Shown until a link or the token has signed this browser in. */
export function SignInPage() {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [provider, setProvider] = useState(false);
  useEffect(() => void hasProvider().then(setProvider), []);
  return (
    <main class="sign-in">
      <form
        class="panel sign-in-box"
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          void signIn({ token: token.trim() }).finally(() => setBusy(false));
        }}
      >
        <h1>Sign in to Pinhole</h1>
        {provider && (
          <>
            <button type="button" class="button" onClick={leaveForProvider}>
              Sign in with your organisation
            </button>
            <hr />
          </>
        )}
        <p>Run this in a terminal on the machine where Pinhole runs. It opens this page and signs you in.</p>
        <CopyLine text="pinhole open" />
        <p class="quiet">
          From another machine, run it with <code>--print</code> there and open the link here.
        </p>
        <hr />
        <p class="quiet">
          Did somebody give you a token? It lets you look at the folders that are allowed here.
        </p>
        <label class="sign-in-field">
          Token
          <input
            class="field"
            type="password"
            autocomplete="current-password"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {signInProblem.value && (
          <p class="failed" role="alert">
            {signInProblem.value}
          </p>
        )}
        <button type="submit" class="button" disabled={busy}>
          Sign in with the token
        </button>
      </form>
    </main>
  );
}
