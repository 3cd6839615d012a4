import type { Provider } from '../model/event.ts';

/** Where a client does not write how large the context is; public figures of the date of the prices. */
const WINDOWS: Readonly<Partial<Record<Provider, readonly number[]>>> = {
  claude_code: [200_000, 1_000_000],
  gemini: [1_048_576],
};

/** The smallest context that the client offers and that what is in use fits in; undefined where none is known. */
export function assumedWindow(provider: Provider, tokens: number): number | undefined {
  return WINDOWS[provider]?.find((size) => tokens <= size);
}
