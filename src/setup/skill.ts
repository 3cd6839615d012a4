import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextStep, type Scope } from './client.ts';
import { type Place, under } from './place.ts';
import type { Change } from './plan-changes.ts';
import { readSettings } from './read-settings.ts';

const SOURCE = join('packaging', 'plugin', 'skills', 'pinhole', 'SKILL.md');
const NEXT = nextStep('start a new session');

/**
 * Plans to write or remove the skill that teaches agents the commands: in the folder that many agents share, and in
 * that of Claude Code, which does not read the shared one.
 */
export function planSkill(place: Place, scope: Scope, remove: boolean): readonly Change[] {
  const base = scope === 'user' ? place.home : place.cwd;
  const claude = scope === 'user' && place.env.CLAUDE_CONFIG_DIR;
  const homes = [under(place, base, '.agents'), claude || under(place, base, '.claude')];
  return homes.map((home) => {
    const file = under(place, home, 'skills', 'pinhole', 'SKILL.md');
    const before = readSettings(file);
    const after = remove ? undefined : skillText();
    const what =
      before === after ? 'nothing' : after === undefined ? 'remove' : before === undefined ? 'add' : 'update';
    return { client: { title: 'Skill', next: NEXT }, scope, file, what, before, after };
  });
}

/** The skill of this package, or of the checkout. */
function skillText(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, SOURCE);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    if (folder === dirname(folder)) throw new Error(`${SOURCE} is missing from this installation.`);
  }
}
