/**
 * Never runs the work twice at once. Requests during a run lead to one more run after it: a run under way is never
 * abandoned for a newer one, since nothing would ever arrive while things change faster than Pinhole answers.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let wanted = false;
  const run = async () => {
    while (wanted) {
      wanted = false;
      await work();
    }
  };
  return () => {
    wanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
