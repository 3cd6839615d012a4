import { useMemo, useRef } from 'preact/hooks';
import { hasTitle, layoutTree } from '../disk/treemap/layout.ts';
import { pageLinks } from '../frame/router.ts';
import { durationText } from '../ui/format.ts';
import { useWidth } from '../ui/use-width.ts';
import { second } from './clock.ts';
import type { Edit } from './trouble.ts';
import type { Agent } from './use-agents.ts';
import { workTree } from './work-tree.ts';

const HEIGHT = 300;
const FILES_SHOWN = 240;
/** An edit glows for this long. */
const GLOW_MS = 60_000;
const MIN_LABEL = { w: 34, h: 16 } as const;

/** The files that the agents read and change, by folder. What is being edited glows in the colour of its agent. */
export function WorkMap({
  agents,
  edits,
}: {
  readonly agents: readonly Agent[];
  readonly edits: readonly Edit[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const byPath = useMemo(() => {
    const groups = new Map<string, Edit[]>();
    for (const edit of edits) groups.set(edit.path, [...(groups.get(edit.path) ?? []), edit]);
    return groups;
  }, [edits]);
  const tree = useMemo(() => {
    const weights = new Map<string, number>();
    const add = (path: string, weight: number) => weights.set(path, (weights.get(path) ?? 0) + weight);
    for (const { files } of agents) for (const file of files) add(file.path, file.edits * 3 + file.reads);
    for (const { path } of edits) add(path, 3);
    // The square root: a file touched a hundred times must not hide one that is being edited now.
    const all = [...weights].map(([path, weight]) => ({ path, weight: Math.sqrt(weight) }));
    const kept = all.sort(
      (a, b) => Number(byPath.has(b.path)) - Number(byPath.has(a.path)) || b.weight - a.weight,
    );
    return workTree(kept.slice(0, FILES_SHOWN));
  }, [agents.map(({ files }) => files.length).join(' '), edits]);
  const layout = useMemo(
    () => (width === 0 ? undefined : layoutTree(tree.columns, 0, width, HEIGHT)),
    [tree, width],
  );
  const colours = new Map(agents.map(({ card, colour }) => [card.id, colour]));
  return (
    <div ref={box} class="work-map" style={{ height: `${HEIGHT}px` }}>
      {layout &&
        Array.from(layout.order.subarray(1, layout.shown), (at) => {
          const [x = 0, y = 0, w = 0, h = 0] = [layout.x[at], layout.y[at], layout.w[at], layout.h[at]];
          const place = {
            left: `${x}px`,
            top: `${y}px`,
            width: `${Math.max(0, w - 1)}px`,
            height: `${Math.max(0, h - 1)}px`,
          };
          const path = tree.files[at];
          const name = tree.columns.name(at);
          if (path === undefined) {
            return (
              <div key={`folder ${at}`} class="work-folder" style={place}>
                {hasTitle(w, h) && <span class="cut">{name}</span>}
              </div>
            );
          }
          const made = byPath.get(path) ?? [];
          const authors = [...new Set(made.map(({ session }) => session))];
          const tones = authors.map((id) => (colours.get(id) ?? 'var(--c8)').replace('--c', '--b'));
          const last = made.at(-1);
          const age = last === undefined ? Infinity : second.value - last.at;
          return (
            <a
              key={path}
              href={pageLinks.fileHistory(path)}
              class={`work-file${made.length > 0 ? ' work-edited' : ''}${authors.length > 1 ? ' work-clash' : ''}${age < GLOW_MS ? ' work-glow' : ''}`}
              style={{
                ...place,
                background: fillOf(tones),
                ...(tones[0] === undefined ? {} : { '--glow': tones.at(-1) }),
                ...(age < GLOW_MS ? { '--strength': String(1 - age / GLOW_MS) } : {}),
              }}
              title={`${path}: ${describe(made, authors.length, age)}`}
              aria-label={`${path}: ${describe(made, authors.length, age)}`}
            >
              {w > MIN_LABEL.w && h > MIN_LABEL.h && <span class="cut">{name}</span>}
            </a>
          );
        })}
    </div>
  );
}

/** One colour, or two that meet at the diagonal. */
function fillOf([first, second]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  if (second === undefined) return first;
  return `linear-gradient(135deg, ${first} 50%, ${second} 50%)`;
}

function describe(edits: readonly Edit[], authors: number, age: number): string {
  if (edits.length === 0) return 'read';
  const times = edits.length === 1 ? 'edited once' : `edited ${edits.length} times`;
  return `${times}${authors > 1 ? ` by ${authors} agents` : ''}, last ${durationText(Math.max(0, age) / 1000)} ago`;
}
