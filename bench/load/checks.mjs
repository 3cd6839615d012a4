/*
 * Checks whether answers are right. Each check takes an answer, as data over REST or as text over MCP, and returns what
 * is wrong with it, or nothing.
 */

export const checkCd = (names) => (answer) => {
  if (typeof answer === 'string') {
    const [, count] = / {2}([\d,]+) entr(?:y|ies) {2}/.exec(answer) ?? [];
    if (Number(count?.replaceAll(',', '')) !== names.length) return `${count} entries, not ${names.length}`;
    return names.some((name) => answer.includes(name)) ? undefined : 'none of its entries';
  }
  const { entries } = answer.data;
  const known = new Set(names);
  const strange = entries.find(({ name }) => !known.has(name));
  if (strange) return `${strange.name} is not in this folder`;
  const total = answer.pagination.total ?? entries.length;
  return total === names.length ? undefined : `${total} entries, not ${names.length}`;
};

export const checkInspect = (path, size) => (answer) => {
  if (typeof answer === 'string')
    return answer.includes(path) && (size >= 1000 || answer.includes(`${size} B`))
      ? undefined
      : 'another file';
  return answer.data.path === path && answer.data.size === size ? undefined : `size ${answer.data.size}`;
};

/** Exactly the lines that match, as they are in the files; a full page may have fewer. */
export const checkRegex = (sources, places) => (answer) => {
  const { hits, more } = typeof answer === 'string' ? hitsInText(answer) : hitsInData(answer);
  for (const { path, line, text } of hits) {
    if (!places.has(`${path}:${line}`)) return `${path}:${line} does not match`;
    if (!isLine(sources, path, line, text)) return `${path}:${line} has another text`;
  }
  const distinct = new Set(hits.map(({ path, line }) => `${path}:${line}`)).size;
  if (distinct !== hits.length) return 'a line twice';
  const fits = more ? hits.length > 0 && hits.length < places.size : hits.length === places.size;
  return fits ? undefined : `${hits.length} lines of ${places.size}`;
};

function hitsInData({ data, pagination }) {
  const hits = data.matches.flatMap(({ path, hits: lines }) => lines.map((hit) => ({ path, ...hit })));
  return { hits, more: pagination.has_more };
}

function hitsInText(text) {
  const hits = [];
  let path;
  for (const row of text.split('\n')) {
    // Equal lines of a file share a row: `33, 46  text`.
    const [, numbers, shown] = /^\s+(\d+(?:, \d+)*) {2}(.*)$/.exec(row) ?? [];
    if (numbers !== undefined)
      for (const line of numbers.split(', ')) hits.push({ path, line: Number(line), text: shown });
    else if (!row.startsWith(' ')) path = row.replace(/\s.*$/, '');
  }
  return { hits, more: /^more: cursor=/m.test(text) };
}

/** Ten places in the tree, with the lines that are there. Counts how often the wanted file is among them. */
export const checkHybrid = (sources, wanted) =>
  Object.assign(
    (answer) => {
      const rows = typeof answer === 'string' ? placesInText(answer) : placesInData(answer);
      if (rows.length === 0) return 'no answer';
      for (const { path, from, lines } of rows) {
        if (!sources.files.has(path)) return `${path} is not in the tree`;
        const wrong = lines.findIndex((text, index) => !isLine(sources, path, from + index, text));
        if (wrong !== -1) return `${path}:${from + wrong} has another text`;
      }
      return undefined;
    },
    {
      finds: (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer.data)).includes(wanted),
    },
  );

function placesInData({ data }) {
  return data.matches.map(({ path, text, text_start }) => ({
    path,
    from: text_start,
    lines: text === undefined ? [] : text.split('\n'),
  }));
}

function placesInText(text) {
  const rows = [];
  for (const row of text.split('\n')) {
    const [, path] = /^(\S+):\d+-\d+(?: {2}|$)/.exec(row) ?? [];
    const [, line, shown = ''] = /^(\d+)(?: {2}(.*))?$/.exec(row) ?? [];
    if (path !== undefined) rows.push({ path, from: 0, lines: [] });
    else if (line !== undefined && rows.length > 0) {
      const last = rows.at(-1);
      if (last.lines.length === 0) last.from = Number(line);
      last.lines.push(shown);
    }
  }
  return rows;
}

/** Lines may be shown without indentation to save room, and long ones are cut. */
function isLine({ files }, path, line, shown) {
  const text = files.get(path)?.lines[line - 1]?.trim();
  if (text === undefined) return false;
  const plain = shown.trim();
  return plain === text || plain.includes('…') || plain.includes('[redacted');
}

export const checkSessions = (titles) => (answer) => {
  const shown = typeof answer === 'string' ? answer : JSON.stringify(answer.data);
  const found = titles.filter((title) => shown.includes(title)).length;
  return found >= 10 ? undefined : `${found} of the sessions`;
};
