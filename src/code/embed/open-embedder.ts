import type { Embedder } from './embedder.ts';
import { openRemoteEmbedder, parseRemoteModel } from './remote-embedder.ts';
import { openStaticEmbedder, staticModelName } from './static-embedder.ts';

/** Which model to use; plain data that can be sent to threads. */
export interface EmbedderChoice {
  /** `ollama:MODEL[@URL]` or `openai:MODEL@URL`; our own model if absent. */
  readonly remote?: string | undefined;
  readonly key?: string | undefined;
}

/** The choice in the environment: `PINHOLE_EMBEDDER` and `PINHOLE_EMBEDDER_KEY`. */
export function embedderFromEnvironment(env: Readonly<Record<string, string | undefined>>): EmbedderChoice {
  return { remote: env.PINHOLE_EMBEDDER || undefined, key: env.PINHOLE_EMBEDDER_KEY || undefined };
}

/** Opens the chosen model. */
export async function openEmbedder({ remote, key }: EmbedderChoice): Promise<Embedder> {
  return remote === undefined
    ? await openStaticEmbedder()
    : await openRemoteEmbedder(parseRemoteModel(remote, key));
}

/** The name of the chosen model, without opening it. */
export function modelName({ remote }: EmbedderChoice): string {
  return remote ?? staticModelName();
}
