import type { Proof } from './person.ts';

/** How often it is asked whether the proof of a running stream still holds. */
const CHECK_MS = 2_000;

/** Ends answers that are still being sent when the proof that they were asked with no longer holds. */
export function createStreamEnder(checkMs = CHECK_MS) {
  const open = new Map<string, { readonly proof: Proof; readonly streams: Set<AbortController> }>();
  let waiting = false;

  function checkLater(): void {
    if (waiting || open.size === 0) return;
    waiting = true;
    setTimeout(check, checkMs).unref();
  }

  async function check(): Promise<void> {
    for (const [key, { proof, streams }] of open) {
      // A database that is away says nothing about a proof.
      if (await proof.holds().catch(() => true)) continue;
      open.delete(key);
      for (const stream of streams) stream.abort(new Error('the proof of this request no longer holds'));
    }
    waiting = false;
    checkLater();
  }

  function add(proof: Proof): { readonly signal: AbortSignal; readonly done: () => void } {
    const stream = new AbortController();
    const known = open.get(proof.key) ?? { proof, streams: new Set() };
    known.streams.add(stream);
    open.set(proof.key, known);
    checkLater();
    const done = () => {
      known.streams.delete(stream);
      if (known.streams.size === 0 && open.get(proof.key) === known) open.delete(proof.key);
    };
    return { signal: stream.signal, done };
  }

  /** The same answer, which breaks off when the proof ends; what is whole already stays as it is. */
  return function endWith(answer: Response, proof: Proof): Response {
    const { body } = answer;
    const type = answer.headers.get('content-type') ?? '';
    if (body === null || type.startsWith('application/json')) return answer;
    // A list that breaks off must not look whole. Events have no last one.
    const endsWell = type.startsWith('text/event-stream');
    const { signal, done } = add(proof);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    void body
      .pipeTo(writable, { signal, preventAbort: endsWell })
      .catch(() => (endsWell ? writable.close() : undefined))
      .catch(() => {})
      .finally(done);
    return new Response(readable, answer);
  };
}
