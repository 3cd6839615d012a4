import type { Recalled, ShownFile, ShownRun, ShownText } from './recall-fit.ts';

/** Stands for the folder that contains most paths. */
const ROOT = '@';

/**
 * The sections as text. Each folder and program is written once per section, and a long folder once for all sections.
 */
export function recallText(recalled: Recalled): string {
  const { asked, said, files, ran, also_ran, open, related, usual } = recalled;
  const quoted = ({ event_index, turn_index, text }: ShownText) =>
    ` e${event_index}${turn_index === undefined ? '' : ` t${turn_index}`} ${text}`;
  const groups = [
    ['changed', byFolder(files.filter(({ edits }) => edits !== undefined))],
    ['read', byFolder(files.filter(({ edits }) => edits === undefined))],
    // A name without a folder was mentioned that way: it is not known where the file is.
    [
      'mentioned, or often changed with these',
      byFolder(
        related.map((path) => ({ path, event_index: 0 })),
        '',
      ),
    ],
  ] as const;
  const root = longestSaving(groups.flatMap(([, folders]) => [...folders.keys()]));
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['asked', asked.map(quoted)],
    ['open', open.map(quoted)],
    ...groups.map(([title, folders]) => [title, folderLines(folders, root)] as const),
    ['ran', [...ran.map(runLine), ...(also_ran.length > 0 ? [` also ${byProgram(also_ran)}`] : [])]],
    ['usual in this project', usual.length > 0 ? [` ${byProgram(usual)}`] : []],
    ['said', said.map(quoted)],
  ];
  const text = sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : [title, ...lines])).join('\n');
  return root === undefined ? text : `${ROOT} is ${root}\n${text}`;
}

function runLine({ event_index, command, status, exit_code }: ShownRun): string {
  const how = exit_code === undefined || exit_code === 0 ? status : `${status} ${exit_code}`;
  return ` e${event_index} ${command} → ${how}`;
}

function byFolder(files: readonly ShownFile[], top = '.'): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const { path, edits, event_index } of files) {
    const at = path.lastIndexOf('/');
    const folder = at < 0 ? top : path.slice(0, at);
    const shown = edits === undefined ? path.slice(at + 1) : `${path.slice(at + 1)} e${event_index}`;
    folders.set(folder, [...(folders.get(folder) ?? []), shown]);
  }
  return folders;
}

function folderLines(folders: ReadonlyMap<string, readonly string[]>, root: string | undefined): string[] {
  return [...folders].map(([folder, names]) => {
    const inside = root !== undefined && (folder === root || folder.startsWith(`${root}/`));
    const shown = inside ? `${ROOT}${folder.slice(root.length)}` : folder;
    return ` ${shown === '' ? '' : `${shown}/ `}${names.join(', ')}`;
  });
}

/** The folder that saves the most text when written only once; undefined if none does. */
function longestSaving(folders: readonly string[]): string | undefined {
  const savings = new Map<string, number>();
  for (const folder of folders) {
    const parts = folder.split('/');
    for (let most = parts.length; most > 0; most--) {
      const root = parts.slice(0, most).join('/');
      const line = `${ROOT} is ${root}\n`.length;
      savings.set(root, (savings.get(root) ?? -line) + root.length - ROOT.length);
    }
  }
  const [best] = [...savings].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] > 0 ? best[0] : undefined;
}

/** `git log|diff, npm run lint|test, ls`: names that differ only in their last word are joined. */
function byProgram(names: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const at = name.lastIndexOf(' ');
    const [program, last] = at < 0 ? [name, ''] : [name.slice(0, at + 1), name.slice(at + 1)];
    groups.set(program, [...(groups.get(program) ?? []), last]);
  }
  return [...groups].map(([program, last]) => `${program}${last.join('|')}`).join(', ');
}
