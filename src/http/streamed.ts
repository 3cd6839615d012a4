/** The first piece is awaited, so that what is wrong with the question becomes an error and not a broken stream. */
export async function streamed(
  pieces: AsyncGenerator<Uint8Array>,
  headers: Record<string, string>,
): Promise<Response> {
  let first: IteratorResult<Uint8Array> | undefined = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = first ?? (await pieces.next());
      first = undefined;
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}
