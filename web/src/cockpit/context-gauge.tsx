import { shortCount } from '../ui/format.ts';

const RADIUS = 24;
const CENTRE = { x: 30, y: 29 } as const;
const LENGTH = Math.PI * RADIUS;

/** How full the context of an agent is, as a half circle; it warns before the agent has to compact. */
export function ContextGauge(props: { readonly tokens: number; readonly window: number | undefined }) {
  const { tokens, window } = props;
  const share = window === undefined ? undefined : Math.min(1, tokens / window);
  const tone = share === undefined || share < 0.65 ? 'running' : share < 0.85 ? 'warning' : 'failed';
  const arc = `M${CENTRE.x - RADIUS} ${CENTRE.y}A${RADIUS} ${RADIUS} 0 0 1 ${CENTRE.x + RADIUS} ${CENTRE.y}`;
  return (
    <div class="gauge" title="Context in use">
      <svg viewBox="0 0 60 33" width="60" height="33" aria-hidden="true">
        <path d={arc} class="gauge-track" />
        {share !== undefined && (
          <path
            d={arc}
            class={`gauge-fill ${tone}`}
            style={{ strokeDasharray: `${share * LENGTH} ${LENGTH}` }}
          />
        )}
        <text x={CENTRE.x} y={CENTRE.y - 1} class="gauge-text">
          {share === undefined ? '–' : `${Math.round(share * 100)}%`}
        </text>
      </svg>
      <span class="quiet num">
        <span class="hidden-text">context </span>
        {shortCount(tokens)}
        {window !== undefined && ` of ${shortCount(window)}`}
      </span>
    </div>
  );
}
