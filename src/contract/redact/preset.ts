import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding } from './finding.ts';

type Rule = (typeof rules)[number];
type Handler = (content: string) => readonly Finding[];

const PREFIX = '@secretlint/secretlint-rule-';

// secretlint drives its rules through promises, but every text rule works synchronously: it reads
// `content` and calls `report`. The translator hands us the secret itself, because some rules report
// a range that starts at the name in front of it.
function synchronousHandler(rule: Rule): Handler {
  const kind = kindOf(rule);
  let content = '';
  let found: Finding[] = [];
  const context = {
    createTranslator: () => (_id: string, data: unknown) => ({ data }),
    report({ message, range }: { readonly message: unknown; readonly range: readonly [number, number] }) {
      const secret = secretOf(message);
      const start = secret === undefined ? -1 : content.indexOf(secret, range[0]);
      if (secret !== undefined && start >= 0) found.push({ start, end: start + secret.length, kind });
    },
    ignore() {},
  };
  const instance: unknown = Reflect.apply(rule.create, rule, [context, {}]);
  return (text) => {
    content = text;
    found = [];
    if (typeof instance === 'object' && instance !== null && 'file' in instance) {
      if (typeof instance.file === 'function') instance.file({ content, filePath: undefined, ext: '' });
    }
    return found;
  };
}

function kindOf(rule: Rule): string {
  return rule.meta.id.replace(PREFIX, '');
}

function secretOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('data' in message)) return undefined;
  const { data } = message;
  if (typeof data !== 'object' || data === null) return undefined;
  const secret = Object.entries(data).find(([name]) => name !== 'typeName')?.[1];
  return typeof secret === 'string' ? secret : undefined;
}

let handlers: ReadonlyMap<string, Handler> | undefined;

/** The preset's rules by kind, as plain functions from text to findings. */
export function presetHandlers(): ReadonlyMap<string, Handler> {
  handlers ??= new Map(rules.map((rule) => [kindOf(rule), synchronousHandler(rule)]));
  return handlers;
}

/** What the preset's rule of that kind, if it has one, finds right at the start of this stretch. */
export function presetFinding(kind: string, text: string, from: number, to: number): Finding | undefined {
  const first = presetHandlers().get(kind)?.(text.slice(from, to))[0];
  if (first === undefined || first.start !== 0) return undefined;
  return { start: from, end: from + first.end, kind };
}
