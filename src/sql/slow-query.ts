/** What slows a query down, from its plan, and what to do. */
export function slowMessage(limitMs: number, plan: readonly string[]): string {
  const stopped = `Stopped after ${Math.round(limitMs / 1000)} s.`;
  const scans = plan.filter((line) => /^SCAN /.test(line)).map((line) => line.replace(/^SCAN /, ''));
  const inner = [...new Set(scans.slice(1))];
  const temporary = plan.find((line) => /TEMP B-TREE/.test(line));
  const parts = [
    ...(scans.length > 1
      ? [
          `For every row of ${scans[0]} it reads all of ${inner.join(', ')}: join on equal columns such as session, or filter the larger table first in a WITH … AS MATERIALIZED (…).`,
        ]
      : scans.length === 1
        ? [`It reads all of ${scans[0]}: begin with a smaller table or a condition on session, path or name.`]
        : ['A recursive or computed part does not end: add a LIMIT or a condition.']),
    ...(temporary === undefined ? [] : [`It sorts everything (${temporary.toLowerCase()}).`]),
  ];
  return [stopped, ...parts].join(' ');
}
