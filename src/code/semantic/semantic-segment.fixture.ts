import type { Embedder } from '../embed/embedder.ts';
import { openStaticEmbedder } from '../embed/static-embedder.ts';
import type { Segment } from './semantic-segment.ts';
import { contentHash, SegmentBuilder } from './semantic-segment-builder.ts';

let embedder: Promise<Embedder> | undefined;

/** Builds a segment from texts by path, for tests. */
export async function segmentOf(files: Readonly<Record<string, string>>): Promise<Segment> {
  embedder ??= openStaticEmbedder();
  const builder = new SegmentBuilder(await embedder);
  for (const [path, text] of Object.entries(files)) {
    await builder.add({ path, text, hash: contentHash(Buffer.from(text)), size: text.length, mtimeMs: 1 });
  }
  return builder.finish();
}
