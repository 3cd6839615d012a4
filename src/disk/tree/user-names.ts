import { readFileSync } from 'node:fs';

let names: ReadonlyMap<number, string> | undefined;

/** The name of a user, or the number if the system has no name for it. */
export function ownerName(uid: number): string {
  names ??= readNames();
  return names.get(uid) ?? String(uid);
}

function readNames(): ReadonlyMap<number, string> {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Map(lines.map((line) => line.split(':')).map(([name = '', , uid]) => [Number(uid), name]));
  } catch {
    return new Map();
  }
}

/** The id of a user by name or number, or undefined. */
export function userId(owner: string): number | undefined {
  if (/^\d+$/.test(owner)) return Number(owner);
  names ??= readNames();
  for (const [uid, name] of names) if (name === owner) return uid;
  return undefined;
}
