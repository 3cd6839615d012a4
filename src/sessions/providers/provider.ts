import type { ParsedRecord, Usage } from '../model/event.ts';
import type { JsonObject } from '../model/log-json.ts';
import type { Tools } from '../model/tool-kinds.ts';
import type { WantedLines } from '../read/line-scanner-memory.ts';
import type { Fields } from './record-fields.ts';

/** What the name and the surroundings of a log say about its session. */
export interface LogPlace {
  readonly id?: string | undefined;
  readonly parentId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly agentName?: string | undefined;
  readonly model?: string | undefined;
  /** The parent's call that started this session. */
  readonly spawnCall?: string | undefined;
  /** Totals by model that the agent keeps beside the log, for logs without tokens. */
  readonly clientUsage?: Readonly<Record<string, Usage>> | undefined;
  /** Its tokens are part of those that the session which started it logs. */
  readonly usageInParent?: boolean | undefined;
  /** The agent itself has archived the log. */
  readonly archived?: boolean | undefined;
}

/** A folder or file of an agent; no part of its path below `base` may be a link. */
export interface AgentPath {
  readonly path: string;
  readonly base: string;
}

/** What an agent keeps about its sessions outside their logs, by session id. */
export interface SideFacts {
  readonly titles: ReadonlyMap<string, string>;
  /** The session that started each subagent. */
  readonly parents: ReadonlyMap<string, string>;
}

/** A session that is not a file of its own: some rows of a database, or a part of a document. */
export interface StoredSession {
  readonly id: string;
  /** Changes whenever the session does, together with `changedMs`. */
  readonly size: number;
  readonly changedMs: number;
}

/** Reads sessions from files that do not hold them line by line; never changes or locks those files. */
export interface SessionStore {
  /** Names of the files that it reads, if the agent has other logs beside them; those are read line by line. */
  readonly files?: RegExp;
  /** The sessions in a file. Throws if the file cannot be read. */
  sessions(file: string): readonly StoredSession[];
  /**
   * The records of a session from a number on. Only records that will no longer change, in an order in which new ones
   * come last: their numbers are the positions of the session's events.
   */
  records(file: string, session: string, from: number): Iterable<JsonObject>;
}

/** What is known about a session after its first records. */
export interface KnownSession {
  readonly parentId?: string | undefined;
  readonly relation?: string | undefined;
}

/** What a record says about tokens, and nothing else. */
export interface TokenRecord extends Pick<ParsedRecord, 'ms' | 'usage'> {
  /** The model of the responses that follow. */
  readonly model: string | undefined;
  /** The id of the record, if titles refer to records. */
  readonly id: string | undefined;
}

/** What records with tokens look like; `shortWords` are for records such as titles. */
export interface TokenRecords extends WantedLines {
  /**
   * What these values say about tokens, once the session is known; undefined if the whole record has to be read. It
   * must agree with `read`.
   */
  tokens(values: readonly unknown[], known: KnownSession): TokenRecord | undefined;
}

/** Kinds of tokens that an agent may not record. */
export const OPTIONAL_TOKENS = ['cached', 'cacheWrite', 'reasoning'] as const;
export type OptionalTokens = (typeof OPTIONAL_TOKENS)[number];
/** Without `answerTimes`, a log says when prompts were sent at most, so that a duration of 0 says nothing. */
type Optional = OptionalTokens | 'answerTimes';

export type Unreadable = (path: string, error: unknown) => void;

/** A note about a reader with {@link Provider.unseen}. */
export function unseenNote({ unseen, publicLogs }: Provider): string | undefined {
  if (unseen !== true) return undefined;
  return publicLogs === undefined
    ? 'written from the published format, never tried on a real log'
    : `written from the published format, checked against ${publicLogs} public logs`;
}

/** What only the logs of one agent have. */
export interface LogSignature {
  /** How it names them; what is in a file with another name is looked at. */
  readonly name: RegExp;
  /** Whether no other agent writes such a record; true of at least one at the beginning of each log. */
  has(record: JsonObject): boolean;
}

/** Everything Pinhole knows about one agent that writes session logs. */
export interface Provider {
  readonly id: string;
  readonly title: string;
  /** Other names a caller may use; case, spaces and punctuation do not matter. */
  readonly aliases?: readonly string[];
  /** The letter and the CSS colour that represent the agent on the page. */
  readonly mark: string;
  readonly colour: string;
  /** The command that continues a session in a terminal, with `{id}` for the session; absent if there is none. */
  readonly resume?: string;

  /** Its reader was written from the published format, without logs made by the agent itself. */
  readonly unseen?: true;
  /** How many logs published by others such a reader was checked against, by hand. */
  readonly publicLogs?: number;

  /** Environment variables that relocate its log folders. */
  readonly variables: readonly string[];
  /** Its log folders; if a folder has much more than logs, the files themselves. */
  logFolders(env: NodeJS.ProcessEnv, home: string): readonly string[];
  /** How the names of its logs end; with a `store`, the names of the files that hold its sessions. */
  readonly logEndings: readonly string[];
  /** Names of files and folders among the logs that are not logs. */
  readonly otherFiles?: RegExp;
  readonly otherFolders?: readonly string[];
  /** Tells its logs from those of other agents in the same folder; if absent, every log in its folders is its own. */
  readonly signature?: LogSignature;
  /** Reads what the location of a log says. `readAt` differs from `path` for a copy in the archive. */
  place(path: string, readAt: string): LogPlace;

  /** For sessions in databases or in documents that it rewrites; absent if each log is lines, or one chat. */
  readonly store?: SessionStore;
  /**
   * What records look like that say anything about tokens, the model, the title or the beginning of a session: they
   * contain one of the words. Others are skipped if only tokens are needed; if absent, none are.
   */
  readonly tokenRecords?: TokenRecords;
  /**
   * What its logs lack: always, or for some versions and models, so that a zero says nothing. Answers leave it out
   * instead of showing 0.
   */
  readonly unrecorded?: Readonly<Partial<Record<Optional, 'always' | 'sometimes'>>>;
  /** Turns one record of a log into parts, from the record alone. */
  read(record: JsonObject): ParsedRecord;
  /** The known fields of its records; others are counted, and `pinhole doctor` names them. */
  readonly fields?: Fields;
  readonly tools: Tools;
  /** The part of a line that is the same in every copy of its record; undefined when copies cannot be recognised. */
  copyKey?(line: string): string | undefined;
  /** The diff of a file that the agent recorded with a tool's answer. */
  recordedDiff?(record: JsonObject, path: string): string | undefined;
  /** The prompt of subagents that are started in advance; they are not listed. */
  readonly warmUpPrompt?: string;
  /** Logs of nested subagents name the outermost session instead of the one that started them. */
  readonly flatSubagents?: boolean;
  /** Context windows it offers, smallest first, for logs that do not say which one they use. */
  readonly contextWindows?: readonly number[];

  /** Where it puts outputs that are too large for the log. */
  spillFolders?(log: string): readonly AgentPath[];
  /** Small files that describe the session of a log. */
  sideFiles?(log: string): readonly string[];
  sideFacts?(folders: readonly string[], unreadable: Unreadable): SideFacts;

  /** Where its MCP requests name the calling session: the key in `_meta`, and fields of that object in order. */
  readonly sessionInRequest?: { readonly meta: string; readonly fields: readonly string[] };

  /** How long it keeps the logs below a folder after their last change, in milliseconds; undefined: forever. */
  retentionMs?(folder: string): number | undefined;
  /** How to make it keep logs longer. */
  readonly keepLonger?: string;
}
