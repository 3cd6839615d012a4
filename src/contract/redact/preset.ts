import { rules } from '@secretlint/secretlint-rule-preset-recommend';

/** A stretch of text that must not leave, and what it is. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

type Handler = (content: string) => readonly Finding[];

const SKIPPED = new Set([
  '@secretlint/secretlint-rule-filter-comments', // a comment in a log must not switch redaction off
  '@secretlint/secretlint-rule-gcp', // whole-file rule; its private key is found as a private key
  '@secretlint/secretlint-rule-basicauth', // these two cover the whole address where the password is enough
  '@secretlint/secretlint-rule-database-connection-string',
]);

// secretlint drives its rules through promises, but every text rule works synchronously:
// it reads `content` and calls `report`. The translator hands us the secret itself, because
// some rules report a range that starts at the name in front of it.
function synchronousHandler(rule: (typeof rules)[number]): Handler {
  const kind = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
  let content = '';
  let found: Finding[] = [];
  const context = {
    createTranslator: () => (_id: string, data: Readonly<Record<string, string>>) => ({ message: '', data }),
    report(descriptor: { readonly message: unknown; readonly range: readonly [number, number] }) {
      const secret = secretOf(descriptor.message);
      const start = secret === undefined ? -1 : content.indexOf(secret, descriptor.range[0]);
      if (secret !== undefined && start >= 0) found.push({ start, end: start + secret.length, kind });
    },
    ignore() {},
  };
  const instance: unknown = Reflect.apply(rule.create, rule, [context, {}]);
  return (text) => {
    content = text;
    found = [];
    callFile(instance, text);
    return found;
  };
}

function secretOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('data' in message)) return undefined;
  const { data } = message;
  if (typeof data !== 'object' || data === null) return undefined;
  let longest: string | undefined;
  for (const [name, value] of Object.entries(data)) {
    if (name === 'typeName' || typeof value !== 'string') continue;
    if (longest === undefined || value.length > longest.length) longest = value;
  }
  return longest;
}

function callFile(instance: unknown, content: string): void {
  if (typeof instance !== 'object' || instance === null || !('file' in instance)) return;
  if (typeof instance.file === 'function') instance.file({ content, filePath: undefined, ext: '' });
}

let handlers: ReadonlyMap<string, Handler> | undefined;

/** The synchronous handlers of the preset's rules, by kind. */
export function presetHandlers(): ReadonlyMap<string, Handler> {
  handlers ??= new Map(
    rules
      .filter((rule) => !SKIPPED.has(rule.meta.id))
      .map((rule) => [rule.meta.id.replace('@secretlint/secretlint-rule-', ''), synchronousHandler(rule)]),
  );
  return handlers;
}
