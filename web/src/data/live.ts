import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveHello, LogsReading } from '../../../src/http/live-events.ts';
import type { SessionChangeCard } from '../../../src/sessions/operations/session-change.ts';
import { connected, reconnect, refreshAll, signedOut } from './client.ts';
import type { DataOf } from './operations.ts';

/** What the stream sends, by event name. */
interface LiveEvents {
  readonly hello: LiveHello;
  readonly beat: unknown;
  readonly job: DataOf<'job_progress'>;
  readonly sessions: { readonly changed: number };
  readonly session: SessionChangeCard;
  readonly reading: LogsReading;
}

type Listener<Name extends keyof LiveEvents> = (event: LiveEvents[Name]) => void;

const listeners: { readonly [Name in keyof LiveEvents]: Set<Listener<Name>> } = {
  hello: new Set(),
  beat: new Set(),
  job: new Set(),
  sessions: new Set(),
  session: new Set(),
  reading: new Set(),
};
const NAMES = ['hello', 'beat', 'job', 'sessions', 'session', 'reading'] as const;
/** How long to wait before reopening a broken stream. */
const REOPEN_MS = 300;
/** A stream that is silent for this long is dead: the machine was asleep, or the connection was cut. */
const SILENT_MS = 40_000;
const CHECK_MS = 5_000;
/** The open session; the stream sends each of its changes. */
const followed = signal<string | undefined>(undefined);
const visible = signal(!document.hidden);
/** Counts up when the stream has to be reopened. */
const attempt = signal(0);
/** The attempt that opened the current stream. */
let openedBy = 0;

/**
 * One stream for the whole page while it is visible, since browsers allow only a few connections. When it breaks, the
 * page waits until Pinhole responds and reopens it.
 */
export function startLive(): void {
  document.addEventListener('visibilitychange', () => {
    visible.value = !document.hidden;
    // Changes while the page was hidden were not sent.
    if (visible.value) refreshAll();
  });
  effect(() => {
    if (!visible.value || !connected.value || signedOut.value) return;
    const session = followed.value;
    const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
    const source = new EventSource(`/api/live${query}`);
    const tries = attempt.value;
    const broke = tries !== openedBy;
    openedBy = tries;
    let heard = Date.now();
    for (const name of NAMES) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        heard = Date.now();
        notify(name, event.data);
      });
    }
    source.addEventListener('hello', () => {
      // Changes between two streams were not sent.
      if (broke) refreshAll();
    });
    const reopen = () => {
      source.close();
      clearInterval(watch);
      void reconnect().then(() => {
        setTimeout(() => {
          attempt.value = tries + 1;
        }, REOPEN_MS);
      });
    };
    source.addEventListener('error', reopen);
    const watch = setInterval(() => {
      if (Date.now() - heard > SILENT_MS) reopen();
    }, CHECK_MS);
    return () => {
      source.close();
      clearInterval(watch);
    };
  });
}

function notify<Name extends keyof LiveEvents>(name: Name, data: string): void {
  // Our own server's event.
  const event = JSON.parse(data) as LiveEvents[Name];
  for (const listener of listeners[name]) listener(event);
}

/** Calls back on every event of this name, until the returned function is called. */
export function listen<Name extends keyof LiveEvents>(name: Name, listener: Listener<Name>): () => void {
  listeners[name].add(listener);
  return () => void listeners[name].delete(listener);
}

/** Calls back on every event of this name while the view is shown. */
export function useLive<Name extends keyof LiveEvents>(name: Name, listener: Listener<Name>): void {
  useEffect(() => listen(name, listener));
}

/** Makes the stream send every change to one session while the view is shown. */
export function useFollow(session: string | undefined): void {
  useEffect(() => {
    followed.value = session;
    return () => {
      followed.value = undefined;
    };
  }, [session]);
}
