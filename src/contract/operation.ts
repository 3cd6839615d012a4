import { z } from 'zod';
import type { Caller, Terminal } from './caller.ts';
import type { NextCall } from './next-call.ts';
import type { Paint } from './painted-text.ts';
import type { Roots } from './roots.ts';

export const TOOLSETS = ['code', 'sessions', 'disk', 'legacy'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Where a page stops: small JSON that the operation understands again. */
export type Position = string | number | readonly (string | number)[];

/** What every `run` receives besides its input; services of the subject come on top. */
export interface CallContext {
  /** Aborted when the caller goes away, cancels, or the time limit is reached. */
  readonly signal: AbortSignal;
  readonly caller: Caller;
  /** Which files this caller may see. */
  readonly roots: Roots;
  /** Rows come after this position; undefined on a first page. */
  readonly after: Position | undefined;
  /** The most bytes this answer may have: the caller's budget, or the operation's `glance`. */
  readonly budget: number;
  /** The number of rows wanted at most (already checked against the operation's maximum). */
  readonly limit: number;
  /** True when the caller named that number; false where it is the operation's default. */
  readonly limitGiven: boolean;
  readonly now: () => number;
  /** The caller's time zone: an IANA name such as `Europe/Berlin`. */
  readonly zone: string;
  /** A full URL of the running Pinhole for a path such as `/disk/i3`. */
  readonly url: (path: string) => string;
}

interface ResultExtras {
  /** What to call next; made of names and ids only, never of file or log text. */
  readonly next?: readonly NextCall[] | undefined;
  /**
   * The next call is worth its bytes in text for agents too. Without it they see it only where an answer is empty or
   * cut: otherwise the ids in the answer are enough.
   */
  readonly guides?: boolean | undefined;
  readonly link?: string | undefined;
  readonly links?: Readonly<Record<string, string>> | undefined;
  /** Facts about the answer, such as `ms` or `truncated`; `bytes` and `estimated_tokens` are added. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Fewer bytes than the caller would take: for answers that are meant to be a glance. */
  readonly budget?: number | undefined;
  /** The plan behind the answer, shown instead of the data for `format=explain`. */
  readonly explain?: (() => unknown) | undefined;
}

/** An answer that is one thing. */
export interface Single<Data> extends ResultExtras {
  readonly kind: 'single';
  readonly data: Data;
}

/**
 * An answer that is a run of rows. The contract takes as many as fit and remembers where it stopped.
 * Rows are pulled one by one, so a generator that reads lazily costs only what is shown.
 */
export interface Page<Row, Data> extends ResultExtras {
  readonly kind: 'page';
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /** The position after this row. Not used for kept results, which are paged by number. */
  readonly position: (row: Row) => Position;
  /** Makes the data of an answer from the rows that fit. */
  readonly shape: (rows: readonly Row[], more: boolean) => Data;
  /** Rows at most, where the caller named no number and there is a better one than the default. */
  readonly limit?: number | undefined;
  /** Fewer rows on the first page: for those who look before they turn it. */
  readonly first?: number | undefined;
  /** How many rows there are in all pages, when that is known cheaply; a function where it is known only later. */
  readonly total?: number | (() => number | undefined) | undefined;
  /** What was looked at so far, as `1,204 files`: said of a search that the time limit stops. */
  readonly searched?: (() => string | undefined) | undefined;
  /** The call that returns this row whole, shown when a row had to be cut to fit. */
  readonly whole?: ((row: Row) => NextCall) | undefined;
  /** Keeps the rows for the next pages instead of running again: for searches. */
  readonly keep?: { readonly narrow?: (row: Row, filters: Readonly<Record<string, unknown>>) => boolean };
}

export type Result<Data> = Single<Data> | Page<never, Data>;

/**
 * Who may call an operation: `reader`, everybody who may ask at all, also with the token for a team; `script`, not them;
 * `person`, only somebody at the page or a terminal.
 */
export type OperationAccess = 'reader' | 'script' | 'person';

export function accessOf({ access, readOnly }: Pick<Operation, 'access' | 'readOnly'>): OperationAccess {
  return access ?? (readOnly ? 'reader' : 'script');
}

export interface Operation<Services = object, Data = unknown> {
  readonly name: string;
  /** The MCP toolset; 'every' comes with each of them; undefined: not an MCP tool. */
  readonly toolset: Toolset | 'every' | undefined;
  /** One or two short sentences: the tool description that a model reads. */
  readonly summary: string;
  readonly readOnly: boolean;
  /** Changes nothing in folders and is linked to from agents' answers: the page asks it as if it were read-only. */
  readonly linked?: boolean | undefined;
  /** Who may call it with input, where that is not what follows from `readOnly`; see {@link accessOf}. */
  readonly access?: OperationAccess | undefined;
  readonly input: z.ZodObject;
  /** What its answers hold. */
  readonly data: z.ZodType<Data>;
  /** Default and maximum number of rows; makes the operation take `limit` and `cursor`. */
  readonly limit?: { readonly default: number; readonly max: number } | undefined;
  /** The most bytes for a caller with a small budget who asks for no more rows than the default. */
  readonly glance?: number | undefined;
  /**
   * The field of its data that holds the rows of a list: CSV and lines of JSON are made of these. Where answers come
   * in several forms, the fields of all of them; an answer has one.
   */
  readonly rows?: string | readonly string[] | undefined;
  /**
   * Where a row leads, for callers that follow links: a path of the REST API such as `/api/jobs/{job_id}`. Names in
   * braces are fields of the row or of the data around it. The row's schema has an optional `link`.
   */
  readonly rowLink?: string | undefined;
  /** Its answers come with the plan behind them; see {@link ResultExtras}. */
  readonly explains?: true | undefined;
  /** Input names of kept results that may narrow them when given with a cursor. */
  readonly narrows?: readonly string[] | undefined;
  /** Inputs that work but are not listed for models, because every tool is paid for in each conversation. */
  readonly unlisted?: readonly string[] | undefined;
  /** Other names that callers use for an input: `{ pattern: 'query' }`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** REST routes such as `GET /api/jobs/{job_id}`; names in braces are inputs. */
  readonly http?: string | readonly string[] | undefined;
  readonly command?: Command | undefined;
  /** How long a call may take, where that is more than usual. */
  readonly timeoutMs?: number | undefined;
  /** Calls per minute for one caller. */
  readonly perMinute?: number | undefined;
  run(
    input: Readonly<Record<string, unknown>>,
    ctx: CallContext & Services,
  ): Promise<Result<Data>> | Result<Data>;
  /** Terse lines for people and for `--format text`; the contract adds what is left and the next call. */
  text(data: Data, style: TextStyle): string;
}

/** How the operation is typed on the command line. */
export interface Command {
  /** Words after `pinhole`, such as `disk cd`. */
  readonly words: string;
  /** What it does, for people, where the summary of the operation is a reference for agents. */
  readonly summary?: string;
  /** Inputs given by place instead of by flag. */
  readonly positional?: readonly string[];
  /** Inputs that the command needs, although the operation can do without. */
  readonly needs?: readonly string[];
  readonly examples?: readonly string[];
  /**
   * Flags of other programs that people are used to, such as `{ 'ignore-case|i': 'case=insensitive', 'context|C':
   * 'context_lines' }`: names and letters, and the input they set.
   */
  readonly flags?: Readonly<Record<string, string>>;
  /** Lines are cut to the width of a terminal: they end with text that is a glance only. */
  readonly glance?: true;
}

export interface TextStyle {
  readonly units: 'iec' | 'si' | 'bytes';
  readonly now: number;
  /** Times are written in this zone. */
  readonly zone: string;
  /** Bars, hints and aligned columns are for terminals; absent where a program reads. */
  readonly terminal?: Terminal | undefined;
  /** Says what a piece of text is, for terminals with colours. */
  readonly paint: Paint;
}

interface Declaration<Services, Name extends string, Shape extends z.ZodObject, Data>
  extends Omit<Operation<Services, Data>, 'name' | 'input' | 'run' | 'text'> {
  readonly name: Name;
  readonly input: Shape;
  run(
    input: z.output<Shape>,
    ctx: CallContext & Services,
  ): Promise<Single<Data> | Page<never, Data>> | Single<Data> | Page<never, Data>;
  text(data: Data, style: TextStyle): string;
}

/** An operation whose name and input are known to the compiler. */
export interface Declared<Services, Name extends string, Shape extends z.ZodObject, Data>
  extends Operation<Services, Data> {
  readonly name: Name;
  readonly input: Shape;
}

/**
 * Declares an operation; MCP tool, REST route, command and reference page come from it.
 *
 * @example
 * export const jobProgress = operation<{ jobs: Jobs }>()({ name: 'job_progress', … });
 */
export function operation<Services = object>() {
  return <const Name extends string, Shape extends z.ZodObject, Data>(
    declaration: Declaration<Services, Name, Shape, Data>,
  ): Declared<Services, Name, Shape, Data> => {
    const { run } = declaration;
    return {
      ...declaration,
      // The contract parses input with `declaration.input` before every call, so this is checked.
      run: (input, ctx) => run(input as z.output<Shape>, ctx),
    };
  };
}

/** What a data schema describes, read-only at every level. */
export type ReadonlyData<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** An answer of one thing. */
export function single<Data>(data: Data, extras: ResultExtras = {}): Single<Data> {
  return { kind: 'single', data, ...extras };
}

/** An answer of rows; see {@link Page}. */
export function page<Row, Data>(spec: Omit<Page<Row, Data>, 'kind'>): Page<never, Data> {
  // A page is used only with the rows it brings along, so forgetting the row type is safe.
  return { kind: 'page', ...spec } as unknown as Page<never, Data>;
}

/** The number of rows of all pages as far as it is known now. */
export function knownTotal({ total }: Pick<Page<never, unknown>, 'total'>): number | undefined {
  return typeof total === 'function' ? total() : total;
}

export type Row = Readonly<Record<string, unknown>>;

/** The fields of a list's rows, in the order of a table: those that its data schema declares. */
export function columnsOf({ rows = [], data }: Pick<Operation<never>, 'rows' | 'data'>): readonly string[] {
  const { properties = {} } = z.toJSONSchema(data, { unrepresentable: 'any' });
  const wanted = [rows].flat();
  const forms = wanted.map((name) => fieldsOfItems(properties[name]));
  // Tables have no lists of rows in their cells: where answers come in several forms, they use the one without.
  const flat = forms.filter((fields) => !fields.some(([, field]) => isRow(field) && isListOfRows(field)));
  return [...new Set((flat.length > 0 ? flat : forms).flat().map(([name]) => name))];
}

function fieldsOfItems(list: unknown): [name: string, field: unknown][] {
  if (!isRow(list) || !isRow(list.items)) return [];
  const { properties, anyOf } = list.items;
  const forms = Array.isArray(anyOf) ? anyOf.filter(isRow).map((form) => form.properties) : [properties];
  return forms.flatMap((form) => (isRow(form) ? Object.entries(form) : []));
}

function isListOfRows({ items }: Row): boolean {
  return isRow(items) && items.type === 'object';
}

/** The rows in the data of a list: those in the field that the operation declares. */
export function rowsOf(
  { rows = [] }: Pick<Operation<never>, 'rows'>,
  data: unknown,
): readonly Row[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = [rows].flat();
  const list = Object.entries(data).find(
    ([name, value]) => fields.includes(name) && value !== undefined,
  )?.[1];
  return Array.isArray(list) ? list.filter(isRow) : undefined;
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
