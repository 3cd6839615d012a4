import { useAnswer } from '../data/use-answer.ts';
import { withQuery } from '../frame/router.ts';

/** The definitions in a file, as a menu that jumps to them. Nothing if there are none. */
export function FileOutline({ path }: { readonly path: string }) {
  const { answer } = useAnswer('outline', { path, limit: 500 });
  const rows = answer?.data.definitions ?? [];
  if (rows.length === 0) return null;
  return (
    <details class="outline">
      <summary>Outline</summary>
      <ul>
        {rows.map((row) => (
          <li key={`${row.line_start} ${row.name}`} style={{ paddingLeft: `${(row.depth ?? 0) * 12}px` }}>
            <a href={withQuery({ line: row.line_start })}>
              <span class="mono cut">{row.name}</span>
              <span class="quiet">
                {row.kind} {row.line_start}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
