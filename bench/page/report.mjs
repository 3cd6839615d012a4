/** The upper limits that are promised. */
export const LIMITS = {
  firstLoadKb: 60,
  viewKb: 80,
  skeletonMs: 50,
  contentMs: 200,
  keystrokeMs: 100,
  firstPictureMs: 500,
  zoomFrameMs: 50,
  scrollFrameMs: 1000 / 60,
};

export const milliseconds = (value) => `${value.toFixed(1)} ms`;

/** The quantile of some values, such as the median for 0.5. */
export const at = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

export function note(name, shown) {
  console.log(`${name.padEnd(52)} ${shown.padStart(12)}`);
}

export function report(name, shown, value, limit, unit) {
  const verdict = value <= limit ? 'holds' : `MISSED by ${((100 * value) / limit - 100).toFixed(0)} %`;
  console.log(
    `${name.padEnd(52)} ${shown.padStart(12)}   at most ${limit.toFixed(limit < 20 ? 1 : 0)} ${unit}: ${verdict}`,
  );
}
