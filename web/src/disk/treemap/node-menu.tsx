import { useEffect, useRef } from 'preact/hooks';
import { pageLinks } from '../../frame/router.ts';
import type { TreemapData } from '../types.ts';

export interface NodeMenuPlace {
  readonly x: number;
  readonly y: number;
  readonly id: string;
}

/** What can be done with a box of the map. */
export function NodeMenu(props: {
  readonly menu: NodeMenuPlace;
  readonly data: TreemapData;
  readonly onOpen: (id: string) => void;
  readonly onSelect: (id: string) => void;
  readonly onClose: () => void;
}) {
  const { menu, data, onClose } = props;
  const box = useRef<HTMLDivElement>(null);
  const path = pathOf(data, data.ids.indexOf(menu.id));
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const away = (event: Event) => {
      if (!(event.target instanceof Node) || box.current?.contains(event.target) !== true) onClose();
    };
    addEventListener('pointerdown', away);
    return () => removeEventListener('pointerdown', away);
  }, [menu.id]);
  const act = (work: () => void) => () => {
    onClose();
    work();
  };
  return (
    <div
      ref={box}
      class="node-menu"
      role="menu"
      tabIndex={-1}
      aria-label={path}
      style={{ left: `min(${menu.x}px, calc(100% - 230px))`, top: `min(${menu.y}px, calc(100% - 170px))` }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <button type="button" role="menuitem" onClick={act(() => props.onOpen(menu.id))}>
        Open
      </button>
      <button type="button" role="menuitem" onClick={act(() => props.onSelect(menu.id))}>
        Select or deselect
      </button>
      <button
        type="button"
        role="menuitem"
        onClick={act(() => void navigator.clipboard.writeText(path).catch(() => {}))}
      >
        Copy path
      </button>
      <a role="menuitem" href={pageLinks.fileHistory(path)}>
        Sessions that touched it
      </a>
    </div>
  );
}

function pathOf(data: TreemapData, at: number): string {
  const names: string[] = [];
  for (let node = at; node > 0; node = data.parents[node] ?? 0) names.unshift(data.names[node] ?? '');
  return [data.path === '/' ? '' : data.path, ...names].join('/');
}
