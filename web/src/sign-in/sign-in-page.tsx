import { useState } from 'preact/hooks';
import { CopyLine } from '../ui/copy-line.tsx';
import { signIn, signInProblem } from './session.ts';

/** Shown where Pinhole accepts remote connections and needs its token first. */
export function SignInPage() {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
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
        <p class="quiet">This Pinhole accepts remote connections. Please sign in.</p>
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
        <button type="submit" class="button primary" disabled={busy}>
          Sign in
        </button>
        <p class="quiet">Or run this on the machine where Pinhole runs, and open the link it prints.</p>
        <CopyLine text="pinhole open --print" />
      </form>
    </main>
  );
}
