import { expect, test } from 'vitest';
import { shellWrites } from './shell-edits.ts';

test.each([
  ["cat > src/a.ts <<'EOF'\nexport const a = 1;\nEOF", [['src/a.ts', '+export const a = 1;']]],
  ['cat <<END >> notes.md\nfirst\nsecond\nEND\nls', [['notes.md', '+first\n+second']]],
  ['cd x && tee -a "b.txt" <<-EOF\n\tline\n\tEOF', [['b.txt', '+\tline']]],
  [
    "git apply <<'P'\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-old line\n+new line\n--- a/y.go\n+++ /dev/null\n-gone\nP",
    [['x.go', '-old line\n+new line']],
  ],
  ["python3 - <<'EOF'\nprint(1)\nEOF", []],
  ['cat > $OUT/file <<EOF\nx\nEOF', []],
  ['cat <<EOF > /dev/null\nx\nEOF', []],
  ['cat > cut.txt <<EOF\nno end', []],
  ["sed -i 's/a/b/' file", []],
])('%j', (command, expected) => {
  expect(shellWrites(command).map(({ path, diff }) => [path, diff])).toEqual(expected);
});
