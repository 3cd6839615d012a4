interface Grown {
  readonly path: string;
  readonly grown: number;
}

/** A folder that grew by nearly as much as one inside it tells nothing new. */
const NEARLY_ALL = 0.98;

/** Removes folders whose change happened in one of their subfolders: the deepest one says where it was. */
export function withoutChains<Row extends Grown>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(
    (row) =>
      !rows.some(
        (below) =>
          below.path.startsWith(row.path === '/' ? '/' : `${row.path}/`) &&
          below.path !== row.path &&
          Math.sign(below.grown) === Math.sign(row.grown) &&
          Math.abs(below.grown) >= NEARLY_ALL * Math.abs(row.grown),
      ),
  );
}
