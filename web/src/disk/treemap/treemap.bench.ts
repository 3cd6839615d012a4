import { type TreeColumns, withChildren } from './columns.ts';
import { layoutTree } from './layout.ts';
import { basePaint } from './paint.ts';
import { Picture } from './picture.ts';

/** What the bench calls inside the browser. */
export interface TreemapBench {
  /** The worst picture: one folder of equal files that are all seen. Milliseconds until it is there. */
  flat(files: number, width: number, height: number): Promise<{ boxes: number; ms: number }>;
  run(
    nodes: number,
    width: number,
    height: number,
  ): Promise<{
    nodes: number;
    boxes: number;
    layoutMs: number;
    firstPictureMs: number;
    zoomStartMs: number;
    zoomFramesMs: readonly number[];
  }>;
}

/** Of so many nodes one is a folder, and a folder holds so many folders. */
const NODES_A_FOLDER = 120;
const FOLDERS_A_FOLDER = 6;

/** A tree of files and folders, breadth first, in which sizes fall steeply as they do on disks. */
function madeTree(count: number): TreeColumns {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const folders = Math.floor(count / NODES_A_FOLDER);
  const parents = new Int32Array(count);
  const kinds = new Int16Array(count);
  const weights = new Float64Array(count);
  const queue = new Int32Array(folders);
  kinds[0] = -1;
  let queued = 1;
  let made = 1;
  for (let next = 0; next < queued; next++) {
    const folder = queue[next] ?? 0;
    for (let i = 0; i < NODES_A_FOLDER && made < count; i++) {
      const inner = i < FOLDERS_A_FOLDER && queued < folders;
      if (inner) queue[queued++] = made;
      parents[made] = folder;
      kinds[made] = inner ? -1 : Math.floor(random() * 12);
      weights[made] = (inner ? 3 : 1) * random() ** 3 + 1e-3;
      made++;
    }
  }
  const sizes = new Float64Array(count);
  sizes[0] = 2 ** 40;
  const sums = new Float64Array(count);
  for (let at = 1; at < made; at++)
    sums[parents[at] ?? 0] = (sums[parents[at] ?? 0] ?? 0) + (weights[at] ?? 0);
  for (let at = 1; at < made; at++) {
    const parent = parents[at] ?? 0;
    sizes[at] = ((sizes[parent] ?? 0) * (weights[at] ?? 0)) / (sums[parent] ?? 1);
  }
  return sorted({
    count: made,
    parents,
    kinds,
    sizes,
    times: new Float64Array(count),
    name: (at) => `node-${at}.bin`,
  });
}

/** Within each folder the largest first, as the server sends them; what moves takes its children along. */
function sorted(tree: Omit<TreeColumns, 'firstChild' | 'childCount'>): TreeColumns {
  const old = withChildren(tree);
  const order = new Int32Array(tree.count);
  const placed = new Int32Array(tree.count);
  let filled = 1;
  for (let at = 0; at < filled; at++) {
    const source = order[at] ?? 0;
    const first = old.firstChild[source] ?? -1;
    if (first < 0) continue;
    const children = Array.from({ length: old.childCount[source] ?? 0 }, (_, i) => first + i);
    children.sort((a, b) => (tree.sizes[b] ?? 0) - (tree.sizes[a] ?? 0));
    for (const child of children) {
      placed[filled] = at;
      order[filled++] = child;
    }
  }
  return withChildren({
    count: tree.count,
    parents: placed,
    sizes: Float64Array.from(order, (from) => tree.sizes[from] ?? 0),
    kinds: Int16Array.from(order, (from) => tree.kinds[from] ?? 0),
    times: tree.times,
    name: tree.name,
  });
}

function canvas(): HTMLCanvasElement {
  const made = document.createElement('canvas');
  document.body.append(made);
  return made;
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
const TONES = ['#7aa3e5', '#f0a95e', '#63bfac', '#e58a9b', '#b29ae0', '#d1bb57', '#8ac6ea', '#b3b9c3'];

const bench: TreemapBench = {
  async flat(files, width, height) {
    const columns = withChildren({
      count: files + 1,
      parents: new Int32Array(files + 1),
      sizes: new Float64Array(files + 1).fill(1).fill(files, 0, 1),
      kinds: Int16Array.from({ length: files + 1 }, (_, at) => (at === 0 ? -1 : at % 12)),
      times: new Float64Array(files + 1),
      name: (at) => `file-${at}.bin`,
    });
    const paint = basePaint((at) => TONES[(columns.kinds[at] ?? 0) % TONES.length] ?? '#888');
    const picture = new Picture(canvas(), canvas());
    picture.resize(width, height);
    await nextFrame();
    const begun = performance.now();
    picture.show(columns, 0, paint);
    await nextFrame();
    return { boxes: picture.layout?.shown ?? 0, ms: performance.now() - begun };
  },

  async run(nodes, width, height) {
    const columns = madeTree(nodes);
    const paint = basePaint((at) => TONES[(columns.kinds[at] ?? 0) % TONES.length] ?? '#888');
    const picture = new Picture(canvas(), canvas());
    picture.resize(width, height);
    await nextFrame();
    const begun = performance.now();
    picture.show(columns, 0, paint);
    const layoutMs = (() => {
      const start = performance.now();
      layoutTree(columns, 0, width, height);
      return performance.now() - start;
    })();
    await nextFrame();
    // The layout was made once more, to be measured: it is no part of the picture.
    const firstPictureMs = performance.now() - begun - layoutMs;
    const boxes = picture.layout?.shown ?? 0;
    const target = columns.firstChild[0] ?? 1;
    const folder = Array.from({ length: columns.childCount[0] ?? 0 }, (_, i) => target + i).find(
      (at) => columns.kinds[at] === -1,
    );
    const frames: number[] = [];
    const zoomBegun = performance.now();
    const zoom = picture.zoomIn(folder ?? target, (ms) => frames.push(ms));
    const zoomStartMs = performance.now() - zoomBegun;
    await zoom;
    return {
      nodes: columns.count,
      boxes,
      layoutMs,
      firstPictureMs,
      zoomStartMs,
      zoomFramesMs: frames.slice(1),
    };
  },
};

Object.assign(globalThis, { treemapBench: bench });
