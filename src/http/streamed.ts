/** Awaits the first piece, so that a mistake in the request becomes an error and not a broken stream. */
export async function streamed(
  pieces: AsyncIterator<Uint8Array, unknown>,
  headers: Record<string, string>,
): Promise<Response> {
  let first: IteratorResult<Uint8Array, unknown> | undefined = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = first ?? (await pieces.next());
      first = undefined;
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}
