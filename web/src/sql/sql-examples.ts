/** Questions that people ask, as statements to start from. */
export const EXAMPLES: readonly { readonly title: string; readonly query: string }[] = [
  {
    title: 'The most expensive sessions',
    query:
      'SELECT id AS session, model, round(cost, 2) AS cost, snip(coalesce(title, first_prompt), 80) AS what\nFROM sessions ORDER BY sessions.cost DESC LIMIT 20',
  },
  {
    title: 'Files that agents edit most',
    query:
      'SELECT path, count(DISTINCT session) AS sessions, count(*) AS edits, sum(added) AS added\nFROM edits GROUP BY path ORDER BY 2 DESC, 3 DESC LIMIT 30',
  },
  {
    title: 'Commands that fail most often',
    query:
      "SELECT snip(command, 60) AS command, error_class, count(*) AS failures, count(DISTINCT session) AS sessions\nFROM calls WHERE status = 'failed' AND kind = 'execute' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 20",
  },
  {
    title: 'Cost by day and agent',
    query:
      'SELECT date(u.at) AS day, s.agent, round(sum(u.cost), 2) AS cost\nFROM usage u JOIN sessions s ON s.id = u.session GROUP BY 1, 2 ORDER BY 1 DESC LIMIT 60',
  },
  {
    title: 'Calls that a person rejected',
    query:
      "SELECT session, turn, at, tool, target FROM calls WHERE status = 'rejected' ORDER BY at DESC LIMIT 50",
  },
  {
    title: 'Large files nobody has changed for a year',
    query:
      "SELECT path, size(size) AS size, modified FROM files\nWHERE files.size > 5e6 AND modified < ago('365d') ORDER BY files.size DESC LIMIT 50",
  },
];
