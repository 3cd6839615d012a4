import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveHello } from '../../../src/http/live.ts';
import type { JobCard } from '../../../src/jobs/operations/job-progress.ts';
import type { SessionChangeCard } from '../../../src/sessions/operations/session-change.ts';
import { connected, lost, refreshAll, signedOut } from './client.ts';

/** What the stream tells of, by the name of the event. */
interface Told {
  readonly hello: LiveHello;
  readonly beat: unknown;
  readonly job: JobCard;
  readonly sessions: { readonly changed: number };
  readonly session: SessionChangeCard;
}

type Listener<Name extends keyof Told> = (told: Told[Name]) => void;

const listeners: { readonly [Name in keyof Told]: Set<Listener<Name>> } = {
  hello: new Set(),
  beat: new Set(),
  job: new Set(),
  sessions: new Set(),
  session: new Set(),
};
const NAMES = ['hello', 'beat', 'job', 'sessions', 'session'] as const;
/** A stream that broke begins again after this. */
const AGAIN_MS = 300;
/** One that says nothing for so long is dead, though nobody told: the machine slept, or the line was cut. */
const SILENT_MS = 40_000;
const LOOK_MS = 5_000;
/** The session that is looked at: its changes are told one by one. */
const followed = signal<string | undefined>(undefined);
const visible = signal(!document.hidden);
/** Counts up when a stream has to begin again. */
const attempt = signal(0);
/** The attempt that the present stream came from. */
let begun = 0;

/**
 * One stream for the whole page while it is looked at, since a browser opens few connections. When it breaks,
 * Pinhole is asked for until it is back, and the stream begins again.
 */
export function startLive(): void {
  document.addEventListener('visibilitychange', () => {
    visible.value = !document.hidden;
    // What changed while nobody looked was not told.
    if (visible.value) refreshAll();
  });
  effect(() => {
    if (!visible.value || !connected.value || signedOut.value) return;
    const session = followed.value;
    const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
    const source = new EventSource(`/api/live${query}`);
    const tries = attempt.value;
    const broke = tries !== begun;
    begun = tries;
    let heard = Date.now();
    for (const name of NAMES) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        heard = Date.now();
        tell(name, event.data);
      });
    }
    source.addEventListener('hello', () => {
      // What changed between two streams was not told.
      if (broke) refreshAll();
    });
    const again = () => {
      source.close();
      clearInterval(watch);
      void lost().then(() => {
        setTimeout(() => {
          attempt.value = tries + 1;
        }, AGAIN_MS);
      });
    };
    source.addEventListener('error', again);
    const watch = setInterval(() => {
      if (Date.now() - heard > SILENT_MS) again();
    }, LOOK_MS);
    return () => {
      source.close();
      clearInterval(watch);
    };
  });
}

function tell<Name extends keyof Told>(name: Name, data: string): void {
  // Our own server's event.
  const told = JSON.parse(data) as Told[Name];
  for (const listener of listeners[name]) listener(told);
}

/** Calls back on every event of a name while the view is shown. */
export function useLive<Name extends keyof Told>(name: Name, listener: Listener<Name>): void {
  useEffect(() => {
    listeners[name].add(listener);
    return () => void listeners[name].delete(listener);
  });
}

/** Lets the stream tell of one session in detail while the view is shown. */
export function useFollow(session: string | undefined): void {
  useEffect(() => {
    followed.value = session;
    return () => {
      followed.value = undefined;
    };
  }, [session]);
}
