import { useAnswer } from '../data/use-answer.ts';
import { withQuery } from '../frame/router.ts';
import { countOf } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import type { SymbolUse } from './types.ts';

const USES_SHOWN = 30;

/** Where a name is defined and who uses it. */
export function SymbolPanel({
  name,
  folder,
}: {
  readonly name: string;
  readonly folder: string | undefined;
}) {
  const { answer, error, reload } = useAnswer('symbol', { name, path: folder });
  const data = answer?.data;
  // The operation declares it, but its text form does not need it.
  const root = data && 'root' in data && typeof data.root === 'string' ? data.root : (folder ?? '');
  const fileOf = (path: string) => (path.startsWith('/') ? path : `${root}/${path}`);
  const to = (path: string, line: number) => withQuery({ file: fileOf(path), line });
  return (
    <section class="symbol-panel" aria-label={`Symbol ${name}`}>
      <header>
        <h3 class="mono">{name}</h3>
        <a
          class="button plain icon-only small"
          href={withQuery({ symbol: undefined })}
          aria-label="Close symbol"
        >
          <Icon name="close" />
        </a>
      </header>
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={3} />}
      {data?.unknown !== undefined && (
        <p class="quiet">
          Nothing here defines it.{' '}
          {data.did_you_mean?.map((other) => (
            <a key={other} class="mono" href={withQuery({ symbol: other })}>
              {other}{' '}
            </a>
          ))}
        </p>
      )}
      {data?.symbol && (
        <ul>
          {[data.symbol, ...(data.others ?? [])].map((place) => (
            <li key={`${place.path}:${place.line_start}`}>
              <span class="quiet">{place.kind}</span>
              <a class="mono" href={to(place.path, place.line_start)} title={place.name}>
                <MiddleCut text={`${place.path}:${place.line_start}`} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {data?.symbol && (data.callers ?? data.refs ?? []).length === 0 && (
        <p class="quiet">No use of it is known.</p>
      )}
      {data && (
        <>
          <Uses title="Called by" uses={data.callers} total={data.totals?.callers} to={to} />
          <Uses title="Used in" uses={data.refs} total={data.totals?.refs} to={to} />
          <Uses title="In tests" uses={data.tests} total={data.totals?.tests} to={to} />
          <Uses title="Possibly used in" uses={data.possible} total={data.totals?.possible} to={to} />
        </>
      )}
    </section>
  );
}

function Uses(props: {
  readonly title: string;
  readonly uses: readonly SymbolUse[] | undefined;
  readonly total: number | undefined;
  readonly to: (path: string, line: number) => string;
}) {
  const { uses = [] } = props;
  if (uses.length === 0) return null;
  const total = props.total ?? uses.length;
  const hidden = total - Math.min(uses.length, USES_SHOWN);
  return (
    <>
      <h4>
        {props.title} <span class="quiet">{total}</span>
      </h4>
      <ul>
        {uses.slice(0, USES_SHOWN).map((use) => (
          <li key={`${use.path}:${use.line}`}>
            <span class="quiet cut">{use.in}</span>
            <a class="mono" href={props.to(use.path, use.line)}>
              <MiddleCut text={`${use.path}:${use.line}`} />
            </a>
          </li>
        ))}
        {hidden > 0 && <li class="quiet">and {countOf(hidden, 'more place')}</li>}
      </ul>
    </>
  );
}
