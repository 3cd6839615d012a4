import { useAnswer } from '../data/use-answer.ts';
import { switchTheme, theme } from '../frame/theme.ts';
import { Choice, Panel } from '../ui/basics.tsx';
import { chooseUnits, UNITS, units } from '../ui/units.ts';

const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** How this browser shows sizes, times and prices. */
export function DisplayPanel() {
  // Every answer says which prices it is based on; this one has the fewest tokens to add up.
  const { answer } = useAnswer('usage', { by: 'day', since: '1d', limit: 1 });
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
          <dd>{Intl.DateTimeFormat().resolvedOptions().timeZone}, that of this browser</dd>
        </div>
        {answer && (
          <div>
            <dt>Prices</dt>
            <dd>
              List prices of {answer.data.prices}; {answer.data.assumed}
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
