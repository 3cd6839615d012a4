/** A selected file or folder. */
export interface SelectedNode {
  readonly path: string;
  readonly size: number;
}

/** The size of all nodes; a node inside another selected folder is counted only once. */
export function totalSize(nodes: readonly SelectedNode[]): number {
  const paths = new Set(nodes.map(({ path }) => path));
  const inside = ({ path }: SelectedNode) => {
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
      if (path !== '/' && paths.has(at === 0 ? '/' : path.slice(0, at))) return true;
      if (at === 0) return false;
    }
    return false;
  };
  return nodes.filter((one) => !inside(one)).reduce((sum, { size }) => sum + size, 0);
}
