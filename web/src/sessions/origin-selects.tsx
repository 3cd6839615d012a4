import { teamServer } from '../data/team-server.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, param, withQuery } from '../frame/router.ts';

const ORIGINS = [
  ['machine', 'Machine', 'All machines'],
  ['person', 'Person', 'Everyone'],
] as const;
type Origin = (typeof ORIGINS)[number];

/** On a team server: whose sessions, and from which machine. */
export function OriginSelects() {
  if (!teamServer.value) return null;
  return (
    <>
      {ORIGINS.map((origin) => (
        <OriginSelect key={origin[0]} origin={origin} />
      ))}
    </>
  );
}

function OriginSelect({ origin: [name, label, all] }: { readonly origin: Origin }) {
  const { answer } = useAnswer('usage', { by: name, sort: 'total', limit: 200 });
  const chosen = param(name) ?? '';
  const known = answer?.data.usage.map(({ group }) => group) ?? [];
  // The value in the address is shown even before the list is loaded.
  const options = [...new Set([...(chosen === '' ? [] : [chosen]), ...known])].sort();
  return (
    <select
      class="select"
      aria-label={label}
      value={chosen}
      onChange={(event) => go(withQuery({ [name]: event.currentTarget.value }))}
    >
      <option value="">{all}</option>
      {options.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}
