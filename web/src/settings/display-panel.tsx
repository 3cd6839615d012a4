import { useMemo } from 'preact/hooks';
import { refreshAll } from '../data/client.ts';
import { switchTheme, theme } from '../frame/theme.ts';
import { Choice, Panel } from '../ui/basics.tsx';
import { chooseUnits, UNITS, units } from '../ui/units.ts';
import { BROWSER_ZONE, chooseZone, zone } from '../ui/zone.ts';

const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** How this browser shows sizes and times. */
export function DisplayPanel() {
  // The browser's list lacks UTC, and maybe the name of its own zone.
  const zones = useMemo(
    () => [...new Set([BROWSER_ZONE, zone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    [],
  );
  return (
    <Panel title="Display">
      <dl class="facts panel-body">
        <div>
          <dt>Theme</dt>
          <dd>
            <Choice
              label="Theme"
              options={THEMES}
              value={theme.value}
              onChange={(value) => {
                if (value !== theme.value) switchTheme();
              }}
            />
          </dd>
        </div>
        <div>
          <dt>Sizes</dt>
          <dd>
            <Choice label="Sizes" options={UNITS} value={units.value} onChange={chooseUnits} />
          </dd>
        </div>
        <div>
          <dt>Time zone</dt>
          <dd>
            <select
              class="select"
              aria-label="Time zone"
              value={zone()}
              onChange={(event) => {
                chooseZone(event.currentTarget.value);
                // Daily totals depend on the page's zone.
                refreshAll();
              }}
            >
              {zones.map((name) => (
                <option key={name} value={name}>
                  {name === BROWSER_ZONE ? `${name} (this browser)` : name}
                </option>
              ))}
            </select>
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
