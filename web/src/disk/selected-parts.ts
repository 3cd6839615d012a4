/** Something that is selected. */
export interface Part {
  readonly path: string;
  readonly size: number;
}

/** The sum without what lies in a folder that is selected too. */
export function sizeOfParts(parts: readonly Part[]): number {
  const paths = new Set(parts.map(({ path }) => path));
  const inside = ({ path }: Part) => {
    for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
      if (path !== '/' && paths.has(at === 0 ? '/' : path.slice(0, at))) return true;
      if (at === 0) return false;
    }
    return false;
  };
  return parts.filter((one) => !inside(one)).reduce((sum, { size }) => sum + size, 0);
}
