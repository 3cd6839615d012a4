// Draws what a soak measured: four stacked charts over the minutes of the run, with kills as vertical lines.
const LEFT = 70;
const RIGHT = 770;
const TALL = 90;
const STEP = 140;

/** An SVG of samples `{ minute, own, all, fds, p99 }`. */
export function picture(samples, kills, title) {
  const rows = [
    ['memory, all processes', samples.map(({ all }) => all / 2 ** 20), 'MB'],
    ['memory, background process', samples.map(({ own }) => own / 2 ** 20), 'MB'],
    ['open descriptors', samples.map(({ fds }) => fds), ''],
    ['p99 latency', samples.map(({ p99 }) => p99), 'ms'],
  ];
  const minutes = Math.max(samples.at(-1)?.minute ?? 0, 0.1);
  const x = (minute) => (LEFT + (minute / minutes) * (RIGHT - LEFT)).toFixed(1);
  const height = rows.length * STEP + 40;
  const curves = rows.map(([name, values, unit], row) => {
    const most = niceAbove(Math.max(1, ...values));
    const floor = 40 + row * STEP + TALL;
    const points = values.map(
      (value, n) => `${x(samples[n].minute)},${(floor - (value / most) * TALL).toFixed(1)}`,
    );
    return [
      `<text x="${LEFT}" y="${floor - TALL - 8}" font-weight="bold">${name}</text>`,
      `<text x="${LEFT - 6}" y="${floor - TALL + 4}" text-anchor="end">${most} ${unit}</text>`,
      `<text x="${LEFT - 6}" y="${floor + 4}" text-anchor="end">0</text>`,
      ...kills.map(
        (minute) =>
          `<line x1="${x(minute)}" y1="${floor - TALL}" x2="${x(minute)}" y2="${floor}" stroke="#dc2626" stroke-dasharray="2 3"/>`,
      ),
      `<line x1="${LEFT}" y1="${floor}" x2="${RIGHT}" y2="${floor}" stroke="#999"/>`,
      `<polyline fill="none" stroke="#2563eb" stroke-width="1.5" points="${points.join(' ')}"/>`,
    ].join('\n');
  });
  const axis = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${x(minutes * part)}" y="${height - 36}" text-anchor="middle">${(minutes * part).toFixed(1)} min</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${title}</title>`,
    `<rect width="800" height="${height}" fill="#fff"/>`,
    ...curves,
    ...axis,
    `<text x="${LEFT}" y="${height - 12}" fill="#dc2626">red: the process was killed and started again</text>`,
    '</svg>\n',
  ].join('\n');
}

/** The next 1, 2 or 5 times a power of ten. */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 5, 10].map((n) => n * power).find((nice) => nice >= value);
}
