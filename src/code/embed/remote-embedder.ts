import { isObject } from '../../contract/guards.ts';
import type { Embedder } from './embedder.ts';
import { toUnit } from './static-model.ts';

/** A model behind an HTTP endpoint that the user runs or pays for. */
export interface RemoteModel {
  readonly kind: 'ollama' | 'openai';
  /** Base address, such as `http://127.0.0.1:11434` or `https://api.example.com/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
}

const BATCH_TEXTS = 64;
const TIMEOUT_MS = 60_000;
/** Endpoints refuse longer texts, or cut them silently. */
const MAX_TEXT_LENGTH = 8000;

/**
 * Parses `ollama:MODEL@URL` or `openai:MODEL@URL`; the URL can be omitted for Ollama on this machine.
 *
 * @example parseRemoteModel('ollama:nomic-embed-text')
 */
export function parseRemoteModel(spec: string, key?: string): RemoteModel {
  const match = /^(ollama|openai):([^@\s]+)(?:@(https?:\/\/\S+))?$/.exec(spec);
  const [, kind, model, address] = match ?? [];
  const url = address ?? (kind === 'ollama' ? 'http://127.0.0.1:11434' : undefined);
  if (model === undefined || url === undefined) {
    throw new Error(`unknown embedder '${spec}'; use ollama:MODEL[@URL] or openai:MODEL@URL`);
  }
  return { kind: kind === 'ollama' ? 'ollama' : 'openai', model, url: url.replace(/\/$/, ''), key };
}

/** Connects to an endpoint; its first answer shows the number of dimensions. */
export async function openRemoteEmbedder(remote: RemoteModel): Promise<Embedder> {
  const embed = (texts: readonly string[]): Promise<Float32Array[]> => request(remote, texts);
  const [probe] = await embed(['dimensions']);
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0) throw new Error(`${remote.url} returned no vector for ${remote.model}`);
  return {
    name: `${remote.kind}:${remote.model}`,
    dimensions,
    async passages(path, texts) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH_TEXTS) {
        const batch = texts
          .slice(at, at + BATCH_TEXTS)
          .map((text) => `${path}\n${text}`.slice(0, MAX_TEXT_LENGTH));
        vectors.push(...(await embed(batch)));
      }
      return vectors;
    },
    async question(text) {
      const [vector] = await embed([text]);
      return vector ?? new Float32Array(dimensions);
    },
  };
}

async function request(
  { kind, url, model, key }: RemoteModel,
  input: readonly string[],
): Promise<Float32Array[]> {
  const address = kind === 'ollama' ? `${url}/api/embed` : `${url}/embeddings`;
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status} for model ${model}`);
  const vectors = vectorsIn(await response.json());
  if (vectors.length !== input.length)
    throw new Error(`${address} returned ${vectors.length} vectors for ${input.length} texts`);
  return vectors;
}

/** Ollama answers `{ embeddings: [[…]] }`, the others `{ data: [{ embedding: […] }] }`. */
function vectorsIn(body: unknown): Float32Array[] {
  const record = isObject(body) ? body : {};
  const rows = Array.isArray(record.embeddings)
    ? record.embeddings
    : Array.isArray(record.data)
      ? record.data.map((row: unknown) => (isObject(row) ? row.embedding : undefined))
      : [];
  return rows.map((row: unknown) => {
    if (!Array.isArray(row) || !row.every((value) => typeof value === 'number')) {
      throw new Error('the endpoint did not return a list of vectors');
    }
    return toUnit(Float32Array.from(row));
  });
}
