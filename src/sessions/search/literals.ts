/** Texts of which a match of the regular expression holds at least one, each long enough to look up; or undefined. */
export function requiredLiterals(pattern: string): readonly string[] | undefined {
  const branches = splitTop(pattern);
  if (branches === undefined) return undefined;
  const found: string[] = [];
  for (const branch of branches) {
    const best = longestRun(branch);
    if (best === undefined) return undefined;
    found.push(best);
  }
  return found;
}

const SHORTEST = 3;

/** The alternatives of a pattern outside of groups; undefined when brackets do not match. */
function splitTop(pattern: string): readonly string[] | undefined {
  const branches: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '[') {
      at = endOfClass(pattern, at);
      if (at < 0) return undefined;
    } else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth === 0) {
      branches.push(pattern.slice(start, at));
      start = at + 1;
    }
    if (depth < 0) return undefined;
  }
  if (depth !== 0) return undefined;
  return [...branches, pattern.slice(start)];
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']') return at;
  }
  return -1;
}

function endOfGroup(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[') {
      at = endOfClass(pattern, at);
      if (at < 0) return -1;
    } else if (pattern[at] === '(') depth++;
    else if (pattern[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** The longest run of plain characters that every match of one alternative holds. */
function longestRun(branch: string): string | undefined {
  let best = '';
  let run = '';
  const end = () => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let at = 0; at < branch.length; at++) {
    const character = branch[at] ?? '';
    if (character === '(' || character === '[') {
      at = character === '(' ? endOfGroup(branch, at) : endOfClass(branch, at);
      if (at < 0) return undefined;
      end();
    } else if (character === '?' || character === '*' || character === '{') {
      // The character before may be missing from a match.
      run = run.slice(0, -1);
      end();
      if (character === '{') at = Math.max(at, branch.indexOf('}', at));
    } else if (character === '+') end();
    else if (character === '.' || character === '^' || character === '$') end();
    else if (character === '\\') {
      const escaped = branch[++at] ?? '';
      if (/[\w]/.test(escaped)) {
        if (escaped === 'Q') return undefined;
        end();
        if (escaped === 'x' || escaped === 'p' || escaped === 'P')
          return best.length >= SHORTEST ? best : undefined;
      } else run += escaped;
    } else run += character;
  }
  end();
  return best.length >= SHORTEST ? best : undefined;
}
