import { redact, redactDeep } from '../contract/redact.ts';
import { checkoutOf } from '../sessions/ingest/project-of.ts';
import { isObject, type JsonObject, parseRecord } from '../sessions/model/log-json.ts';
import type { LogFile } from '../sessions/providers/log-files.ts';
import type { Provider } from '../sessions/providers/provider.ts';
import type { RawRecord } from '../sessions/read/lines.ts';
import { recordsFrom } from '../sessions/read/source.ts';
import { spilledText } from '../sessions/read/spilled.ts';
import type { CollectMessage, CollectRecord } from './collect-message.ts';
import { projectName } from './git-remote.ts';

export type Sender = Pick<CollectMessage, 'machine' | 'person' | 'version'>;

/** What an agent stores outside its logs, by session id. */
export type Aside = (
  provider: string,
  id: string | undefined,
) => { readonly title?: string; readonly startedBy?: string };

/** Where to begin, and what is already known. */
export interface Start {
  readonly run: string;
  readonly from: number;
  readonly cwd: string | undefined;
  readonly now: () => number;
  readonly aside: Aside;
}

export interface LogPart {
  readonly message: CollectMessage;
  /** The working folder of the session, as far as the log has been read. */
  readonly cwd: string | undefined;
  /** Whether it reaches the end of the log. */
  readonly last: boolean;
}

/** A message has about this much text; a longer record is sent in a separate message. */
const MESSAGE_BYTES = 1 << 20;
const MESSAGE_RECORDS = 2_000;
/** Of longer records, only the beginning is sent. */
const MAX_RECORD_BYTES = 8 << 20;
const MAX_SENT_LENGTH = 64 << 10;

/** What is left to send of a log from a position on, as messages. Everything in them is redacted. */
export function* messagesOf(
  log: LogFile,
  provider: Provider,
  sender: Sender,
  start: Start,
): Generator<LogPart> {
  let cwd = start.cwd ?? log.cwd;
  let { id } = log;
  let from = start.from;
  let to = from;
  let bytes = 0;
  let records: CollectRecord[] = [];
  const part = (last: boolean): LogPart => {
    const message = {
      ...sender,
      now: start.now(),
      log: { ...described(log, cwd, id, start.aside), provider: provider.id, run: start.run },
      from,
      to,
      records,
    };
    from = to;
    bytes = 0;
    records = [];
    return { message, cwd, last };
  };
  for (const raw of recordsFrom(log.keptAt ?? log.path, from, provider.store)) {
    // Empty lines have no text; the position skips them.
    if (raw.bytes.length > 0) {
      const { record, folder, named } = sendable(raw, provider, log);
      const size = record.text.length + sizeOf(record.spilled);
      if (records.length > 0 && (bytes + size > MESSAGE_BYTES || records.length >= MESSAGE_RECORDS))
        yield part(false);
      cwd = folder ?? cwd;
      id ??= named;
      records.push(record);
      bytes += size;
    }
    to = raw.offset + raw.length;
  }
  if (to > start.from || start.from === 0) yield part(true);
}

function sizeOf(spilled: Readonly<Record<string, string>> | undefined): number {
  return Object.values(spilled ?? {}).reduce((sum, text) => sum + text.length, 0);
}

function sendable(
  raw: RawRecord,
  provider: Provider,
  log: LogFile,
): {
  readonly record: CollectRecord;
  readonly folder?: string | undefined;
  readonly named?: string | undefined;
} {
  const place = { at: raw.offset, length: raw.length };
  const text = raw.bytes.toString('utf8');
  const parsed = raw.tooLong || raw.bytes.length > MAX_RECORD_BYTES ? undefined : parseRecord(text);
  if (!isObject(parsed)) {
    const cut = raw.tooLong === true || text.length > MAX_RECORD_BYTES;
    const shown = redact(cut ? text.slice(0, MAX_SENT_LENGTH) : text);
    return { record: { ...place, text: shown, ...(cut && { cut: true as const }) } };
  }
  const { parts, facts } = provider.read(parsed);
  const spilled = spilledBy(
    parts.flatMap(({ spilledTo }) => spilledTo ?? []),
    provider,
    log,
  );
  return {
    record: { ...place, text: redactedJson(parsed), ...(spilled !== undefined && { spilled }) },
    folder: facts?.cwd,
    named: facts?.id,
  };
}

function redactedJson(record: JsonObject): string {
  return JSON.stringify(redactDeep(record));
}

function spilledBy(
  paths: readonly string[],
  provider: Provider,
  log: LogFile,
): Readonly<Record<string, string>> | undefined {
  const texts = paths.flatMap((path) => {
    const text = spilledText(provider, log.keptAt ?? log.path, path);
    return text === undefined ? [] : [[path, redact(text).slice(0, MAX_RECORD_BYTES)] as const];
  });
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

/** The log with what only this machine knows about it. */
function described(
  log: LogFile,
  cwd: string | undefined,
  session: string | undefined,
  aside: Aside,
): Omit<CollectMessage['log'], 'run' | 'provider'> {
  const { id, parentId, agentName, model, spawnCall, archived, clientUsage, usageInParent } = log;
  const checkout = cwd === undefined ? undefined : checkoutOf(cwd);
  const place = {
    id,
    parentId,
    cwd: log.cwd,
    agentName,
    model,
    spawnCall,
    archived,
    clientUsage,
    usageInParent,
    ...aside(log.provider, session),
  };
  return {
    path: log.path,
    place: redactDeep(JSON.parse(JSON.stringify(place))),
    ...(checkout !== undefined && { project: projectName(checkout.project), root: checkout.root }),
  };
}
