import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { blankComments } from './blank-comments.ts';

const never = new AbortController().signal;
let root = '';
let opened: OpenedCode;
beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  opened = await openedCode({ home: temporaryFolder() });
});
afterEach(() => opened.close(false));

/** Where a member of a type is used for certain; another type has a member with the same name. */
async function uses(owner: string, name: string, files: Readonly<Record<string, string>>, at?: number) {
  writeFiles(root, { 'rival.ts': `export interface Rival {\n  ${name}: string\n}\n`, ...files });
  const { tree } = opened.code.trees.at(root);
  // A question does not wait for all files on a busy machine.
  await opened.code.symbols.build(tree, never);
  const { value } = await opened.code.symbols.ask(
    tree,
    { files: () => true },
    never,
    async ({ rows, references }) => {
      const found = (await rows.definitionsNamed(name)).find(
        ({ scope, line }) => scope === owner && (at === undefined || line === at),
      );
      if (found === undefined) throw new Error(`${owner}.${name} is not defined`);
      return references.of(found);
    },
  );
  return value.certain.map(({ path, line }) => `${path}:${line}`);
}

const QUERY = `export class Query<T> {
  pick<K>(key: K): Picked<T, K> {
    return new Query() as never
  }
  only(): this {
    return this
  }
  limit(count: number) {
    return new Query<T>()
  }
}
export type Picked<T, K> = K extends string
  ? // a comment
    Query<T>
  : Query<K>
`;

test('a chain is followed through comments, conditional types, `this` and results that are not written', async () => {
  expect(
    await uses('Query', 'limit', {
      'query.ts': QUERY,
      'use.ts': `import { Query } from './query'
export const found = new Query<number>()
  // the first
  .pick('a')
  .only()
  .limit(1)
  .limit(2)
`,
    }),
  ).toEqual(['use.ts:6', 'use.ts:7']);
});

test('a function that calls itself, or one that calls it, gives what its other returns say', async () => {
  expect(
    await uses('Leaf', 'size', {
      'leaf.ts': 'export class Leaf {\n  size = 1\n}\n',
      'walk.ts': `import { Leaf } from './leaf'
function walk(n: number) {
  if (n > 9) return other(n)
  if (n > 0) return walk(n - 1)
  return new Leaf()
}
function other(n: number) {
  return walk(n - 9)
}
export const sizes = [walk(3).size, other(4).size]
`,
    }),
  ).toEqual(['walk.ts:10', 'walk.ts:10']);
});

test('a parameter has the type that its function is expected to take', async () => {
  expect(
    await uses('Context', 'send', {
      'app.ts': `export interface Context {
  send(text: string): void
}
export type Handler<C> = (c: C, next: () => void) => void
export interface Route {
  (path: string, ...handlers: Handler<Context>[]): void
}
export class App {
  get!: Route
  on(path: string, handler: Handler<Context> | undefined): void {}
}
export { App as Base }
`,
      'use.ts': `import { Base, type Handler, type Context } from './app'
class Own extends Base {}
const app = new Own()
app.get('/', (c) => c.send('a'), (c) => c.send('b'))
app.on('/', async (c) => {
  c.send('c')
})
export function handler(): Handler<Context> {
  return async function handle(c) {
    c.send('d')
  }
}
export const set: { context: Context } = {} as never
set.context.send('e')
`,
    }),
  ).toEqual(['use.ts:4', 'use.ts:4', 'use.ts:6', 'use.ts:10', 'use.ts:14']);
});

test('a parameter gets its type in a chain, from a result in parentheses and behind two casts', async () => {
  expect(
    await uses('Context', 'send', {
      'app.ts': `export interface Context {
  send(text: string): void
}
export class App {
  constructor(options?: object) {}
  get(path: string, handler: (c: Context) => void): App { return this }
}
export const compose = (list: unknown[]): ((c: Context) => void) => {
  return (c) => {
    c.send('a')
  }
}
`,
      'use.ts': `import { App, type Context } from './app'
new App().get('/', async (c) => c.send('b')).get('/', (c) => {
  c.send('c')
})
declare const other: { value: unknown }
const first = (other.value as unknown as Context).send
const second = wrap(other, {}) as unknown as Context
second.send('d')
`,
    }),
  ).toEqual(['app.ts:10', 'use.ts:2', 'use.ts:3', 'use.ts:6', 'use.ts:8']);
});

test('a function that is assigned to a member is not what its name alone means', async () => {
  expect(
    await uses('', 'upgrade', {
      'socket.ts': `export const upgrade = (path: string) => path
`,
      'use.ts': `import { upgrade } from './socket'
declare const Server: { upgrade: () => void }
Server.upgrade = () => {}
upgrade('/')
`,
    }),
  ).toEqual(['use.ts:1', 'use.ts:4']);
});

test('an object has the members of the type that it is written for', async () => {
  expect(
    await uses('Node', 'kind', {
      'node.ts': `export interface Node {
  kind: string
}
export type All<T> = T & { [K in keyof T]-?: unknown }
export interface Factory {
  is(node: Node): boolean
  make(): Node
}
export function freeze<T>(value: T): T {
  return value
}
`,
      'use.ts': `import { type All, type Factory, freeze, type Node } from './node'
export const factory = freeze<Factory>({
  is(node) {
    return node.kind === 'a'
  },
  make() {
    return { kind: 'a' }
  },
})
export const made = { kind: 'b' } satisfies All<Node>
export const other = freeze({ kind: 'c' })
export function inline(from: { kind: string }) {
  return from.kind
}
`,
    }),
  ).toEqual(['use.ts:4', 'use.ts:7', 'use.ts:10']);
});

test('a class that says more than one line about itself still has its bases', async () => {
  const long = Array.from({ length: 20 }, (_, at) => `T${at} extends string = 'a'`).join(',\n  ');
  expect(
    await uses('Source', 'node', {
      'source.ts': `export interface Source {\n  node(): string\n}\n`,
      'builder.ts': `import type { Source } from './source'
export class Builder<
  ${long},
> implements Source {
  node() {
    return ''
  }
}
`,
      'use.ts': `import { Builder } from './builder'\nnew Builder().node()\n`,
    }),
  ).toEqual(['use.ts:2']);
});

test('elements of JSX are members of the type that lists them', async () => {
  expect(
    await uses('IntrinsicElements', 'head', {
      'elements.ts': `export interface IntrinsicElements {\n  head: object\n}\n`,
      'page.tsx': `export const page = (\n  <head>\n    {document.head.title}\n  </head>\n)\n`,
    }),
  ).toEqual(['page.tsx:2', 'page.tsx:4']);
});

test('comments become spaces; strings and regular expressions stay', () => {
  const text = `a // 'b\n/* c\n */ d('//e', /"\\/*/, 2 / 3) // f`;
  expect(blankComments(text)).toBe(`a      \n    \n    d('//e', /"\\/*/, 2 / 3)     `);
});

test('a key without a value of its own is a use of the field, whether its variable is local or not', async () => {
  expect(
    await uses('Options', 'home', {
      'open.ts': `export interface Options {
  readonly home: string
}
export function open(options: Options): void {}
`,
      'use.ts': `import { open, type Options } from './open'
export function local(home: string): Options {
  open({ home })
  const made: Options = { home }
  return { home }
}
const home = '/'
open({
  home,
})
export const other = { home }
`,
    }),
  ).toEqual(['use.ts:3', 'use.ts:4', 'use.ts:5', 'use.ts:9']);
});

const PLACES = `export interface Place {
  readonly start: number
}
export type Places = readonly Place[]
export interface Rules {
  readonly places: Readonly<Record<string, Place>>
}
`;

test('objects in lists, maps, branches and calls have the fields of the type that is expected of them', async () => {
  expect(
    await uses('Place', 'start', {
      'place.ts': PLACES,
      'use.ts': `import type { Place, Places, Rules } from './place'
export const rules: Rules = { places: { first: { start: 1 } } }
export function found(at: number): Place | undefined {
  if (at > 1) return at >= 3 && at !== 9 ? { start: at } : undefined
  return at === 0
    ? undefined
    : { start: at }
}
const put = (place: Place, by: Partial<Place>) => place
put({ start: 1 }, { start: 2 })
export function all(given: Places): Place[] {
  const list: Place[] = []
  list.push({ start: given[0].start })
  return list
}
export function declare<T>() {
  return <const Name extends string, Other>(place: Place): Name => place as never
}
export const declared = declare<string>()({ start: 3 })
`,
    }),
  ).toEqual([
    'use.ts:2',
    'use.ts:4',
    'use.ts:7',
    'use.ts:10',
    'use.ts:10',
    'use.ts:13',
    'use.ts:13',
    'use.ts:19',
  ]);
});

test('patterns take fields out of lists, maps and what awaits a result', async () => {
  expect(
    await uses('Place', 'start', {
      'place.ts': PLACES,
      'use.ts': `import type { Place, Places } from './place'
export function take(places: Places, byName: ReadonlyMap<string, Place>) {
  const [{ start }] = places
  for (const [name, { start: first }] of byName) console.log(name, first)
  for (const [at, place] of places.entries()) console.log(at, place.start)
  return [...places].filter(({ start: each }) => each > start)
}
const ask = async (): Promise<Place> => ({ start: 1 })
export function check(answer: Awaited<ReturnType<typeof ask>>) {
  return answer.start
}
`,
    }),
  ).toEqual(['use.ts:3', 'use.ts:4', 'use.ts:5', 'use.ts:6', 'use.ts:8', 'use.ts:10']);
});

test('a field that a base leaves out is not the field of the base', async () => {
  expect(
    await uses('Wide', 'label', {
      'wide.ts': `export interface Wide {
  readonly label: string
}
export interface Narrow extends Omit<Wide, 'label'> {
  readonly label: 'a'
}
export const wide = (of: Wide) => of.label
export const narrow = (of: Narrow) => of.label
`,
    }),
  ).toEqual(['wide.ts:7']);
});

test('what a function gives that another function gave', async () => {
  expect(
    await uses('Context', 'res', {
      'context.ts':
        'export class Context {\n  get res(): string {\n    return this.#res\n  }\n  #res = 1\n}\n',
      'compose.ts': `import type { Context } from './context'
export const compose = <E = unknown>(
  list: [[Function, unknown], unknown][] | [[Function]][],
  next?: E
): ((context: Context, next?: E) => Promise<Context>) => {
  return (context, next) => dispatch(0)
}
`,
      'use.ts': `import { compose } from './compose'
import { Context } from './context'
describe('x', () => {
  it('y', async () => {
    const composed = compose([])
    const context = await composed(new Context(new Request('http://localhost/')))
    expect(context.res.length).toBe(1)
    expect((await context.res.json())['message']).toBe(1)
  })
})
`,
    }),
  ).toEqual(['use.ts:7', 'use.ts:8']);
});

test('a parameter of a callback that an interface of calls takes', async () => {
  expect(
    await uses('Context', 'res', {
      'context.ts':
        'export class Context<E = any, P = any, I = {}> {\n  get res(): string {\n    return this.#res\n  }\n  #res = 1\n}\n',
      'types.ts': `import type { Context } from './context'
import type { HonoBase } from './base'
export type Next = () => Promise<void>
export type MiddlewareHandler<
  E = any,
  P extends string = string,
  I = {},
  R = Response,
> = (c: Context<E, P, I>, next: Next) => Promise<R | void>
export interface MiddlewareHandlerInterface<E = Env, S = BlankSchema, BasePath extends string = '/'> {
  //// app.use(...handlers[])
  <E2 extends Env = E>(
    ...handlers: MiddlewareHandler<E2, MergePath<BasePath, '*'>>[]
  ): HonoBase<IntersectNonAnyTypes<[E, E2]>, S, BasePath, MergePath<BasePath, '*'>>

  // app.use(path, handler)
  <P extends string, MergedPath extends MergePath<BasePath, P>, E2 extends Env = E>(
    path: P,
    handler: MiddlewareHandler<E2, MergedPath, any, any>
  ): HonoBase<IntersectNonAnyTypes<[E, E2]>, S, BasePath, MergedPath>
}
`,
      'base.ts': `import type { MiddlewareHandlerInterface } from './types'
class HonoBase<E = Env, S = {}, BasePath extends string = '/'> {
  use: MiddlewareHandlerInterface<E, S, BasePath>
}
export { HonoBase as HonoBase }
`,
      'hono.ts':
        "import { HonoBase } from './base'\nexport class Hono<E = Env, S = {}, B extends string = '/'> extends HonoBase<E, S, B> {}\n",
      'use.ts': `import { Hono } from './hono'
describe('x', () => {
  const app = new Hono()
  app.use('*', async (c, next) => {
    await next()
    c.res.headers.append('x-custom', 'root')
  })
})
`,
    }),
  ).toEqual(['use.ts:6']);
});

const RUNNERS = {
  'runner.ts': `export interface Runner {
  sender: string
  stop(): void
}
export abstract class Base {
  sender = 'base'
}
`,
  'mongo.ts': `import { Runner } from './runner'
export class Mongo implements Runner {
  sender = 'mongo'
  stop() {
    return this.sender
  }
}
export class Tuned extends Mongo {
  stop() {
    return this.sender
  }
}
`,
  'mysql.ts': `import { Base, Runner } from './runner'
export class Mysql extends Base implements Runner {
  stop() {
    return this.sender
  }
  again() {
    this.stop()
  }
}
export function all(runner: Runner, tuned: Tuned) {
  runner.stop()
  return runner.sender
}
`,
};

test('a member of a base class is not that of another class of the same interface', async () => {
  expect(await uses('Mongo', 'sender', RUNNERS)).toEqual(['mongo.ts:5', 'mongo.ts:10', 'mysql.ts:12']);
});

test('what two classes implement for one interface is one member, as for the compiler', async () => {
  expect(await uses('Mongo', 'stop', RUNNERS)).toEqual(['mysql.ts:7', 'mysql.ts:11']);
});

test('an interface has the uses of all its classes, a base class those of its own', async () => {
  expect(await uses('Runner', 'stop', RUNNERS)).toEqual(['mysql.ts:7', 'mysql.ts:11']);
  expect(await uses('Base', 'sender', RUNNERS)).toEqual(['mysql.ts:4']);
});

test('a class that a call names says what it gives, and overloads are told apart by their lists', async () => {
  expect(
    await uses('Post', 'title', {
      'store.ts': `export type Target<T> = (new () => T) | string
export class Store<T> {
  create(): T
  create(likes: Partial<T>[]): T[]
  create(like: Partial<T>): T
  create(like?: unknown): unknown {
    return like
  }
  async one(): Promise<T | null> {
    return null
  }
}
export class Source {
  store<T>(target: Target<T>): Store<T> {
    return new Store<T>()
  }
}
`,
      'post.ts': `export class Post {
  title = ''
}
`,
      'use.ts': `import { Post } from './post'
import { Source } from './store'
export async function use(source: Source) {
  const posts = source.store(Post)
  const like = { title: 'x' }
  const made = posts.create(like)
  made.title
  const all = posts.create([like])
  all[0].title
  const one = await posts.one()
  return one!.title
}
`,
    }),
  ).toEqual(['use.ts:7', 'use.ts:9', 'use.ts:11']);
});

test('what a global of a test program has is not a member of the tree', async () => {
  expect(
    await uses('Schema', 'not', {
      'rival.ts': '',
      'schema.ts': `export interface Schema {
  not?: Schema
}
`,
      'schema.test.ts': `import type { Schema } from './schema'
export const check = (schema: Schema) => expect(schema.not).not.toBe(1)
`,
    }),
  ).toEqual(['schema.test.ts:2']);
});

test('types that are put together have all their members, and what is left out is not one of them', async () => {
  const files = {
    'message.ts': `export interface Envelope {
  id?: string
}
export interface Request extends Envelope {
  path: string
}
export type Message = Request & {
  id: string
}
export interface Settings {
  id: string
  theme: string
}
export interface Options extends Partial<Omit<Settings, 'id'>> {
  id?: string
}
export interface Named<T = { id: 'default' }> extends List<{ id: 'item' }> {
  name: T
  id: number
}
export interface List<T> {
  items: T[]
}
`,
    'use.ts': `import type { Envelope, Message, Named, Options, Settings } from './message'
export function use(message: Message, envelope: Envelope, options: Options, settings: Settings) {
  message.id
  envelope.id
  options.id
  settings.id
}
export const named = (named: Named) => named.id
`,
  };
  expect(await uses('Message', 'id', files)).toEqual(['use.ts:3']);
  expect(await uses('Envelope', 'id', files)).toEqual(['use.ts:3', 'use.ts:4']);
  expect(await uses('Options', 'id', files)).toEqual(['use.ts:5']);
  expect(await uses('Settings', 'id', files)).toEqual(['use.ts:6']);
  expect(await uses('Named', 'id', files, 17)).toEqual([]);
  expect(await uses('Named', 'id', files, 19)).toEqual(['use.ts:8']);
});

test('a result with several type arguments, a branch, a spread and a type inside a type', async () => {
  expect(
    await uses('Context', 'run', {
      'context.ts': `export interface Context<A, B> {
  run(): A | B
}
export function createContext<A, B>(): Context<A, B> {
  function run() {
    return undefined as never
  }
  return { run }
}
export class Client {
  context = createContext<string, number>()
}
export interface Hooks {
  after: { run(): void }
}
`,
      'use.ts': `import { Client, createContext, type Context, type Hooks } from './context'
export function use(given: Context<string, number> | Client, context: Context<1, 2>, hooks: Hooks) {
  const made = createContext<string, { b: true }>()
  made.run()
  const chosen = given instanceof Client ? given.context : createContext<
    string,
    number
  >()
  chosen.run()
  const spread = { ...context, name: 'x' }
  spread.run()
  hooks.after.run()
}
`,
    }),
  ).toEqual(['context.ts:8', 'use.ts:4', 'use.ts:9', 'use.ts:11']);
});

test('a test before a use says what a variable is', async () => {
  expect(
    await uses('Failure', 'reason', {
      'failure.ts': `export class Failure extends Error {
  reason = ''
}
export function isFailure(error: unknown): error is Failure {
  return error instanceof Failure
}
`,
      'use.ts': `import { Failure, isFailure } from './failure'
declare function caught(): Error
export function use(error: unknown) {
  if (error instanceof Failure) {
    error.reason
  }
  const other = caught()
  if (!isFailure(other)) {
    throw new Error(other.reason)
  }
  other.reason
  return error instanceof Failure && error.reason
}
export function not(error: unknown) {
  if (isFailure(error)) {
    return
  }
  error.reason
}
`,
    }),
  ).toEqual(['use.ts:5', 'use.ts:11', 'use.ts:12']);
});

test('a callback in an object is called as the method that it stands for', async () => {
  expect(
    await uses('Builder', 'query', {
      'api.ts': `export interface Builder<Base, Tags> {
  query<Result>(options: { url: string }): Result
}
export interface Options<Base, Definitions, Tags = never> {
  base: Base
  endpoints(build: Builder<Base, Tags>): Definitions
}
export declare function inject<Base>(_: {
  endpoints: (build: Builder<Base, string>) => void
  replace?: boolean
}): void
export type Create<Names extends string> = {
  <Base, Definitions, Tags>(options: Options<Base, Definitions, Tags>): Definitions
}
export function buildCreate<Modules extends { name: string }[]>(...modules: Modules): Create<Modules[number]['name']> {
  return undefined as never
}
`,
      'index.ts': `import { buildCreate } from './api'
const create = /* pure */ buildCreate({ name: 'a' }, { name: 'b' })
export { create }
`,
      'use.ts': `import { inject } from './api'
import { create } from './index'
export const api = create({
  base: () => 1,
  endpoints: (build) => ({
    one: build.query<string>({ url: '/' }),
  }),
})
export const other = create({
  base: 1,
  endpoints(builder) {
    return { two: builder.query({ url: '/' }) }
  },
})
inject({ replace: true, endpoints: (build) => build.query({ url: '/' }) })
`,
    }),
  ).toEqual(['use.ts:6', 'use.ts:12', 'use.ts:15']);
});

test('a comparison of a property says which type of a union a value has', async () => {
  expect(
    await uses('Root', 'children', {
      'nodes.ts': `export enum Kind { Root, Text, If }
export interface Root {
  kind: Kind.Root
  children: string[]
}
export interface Text {
  kind: Kind.Text
  children: string
}
export interface If {
  kind: Kind.If
  children: number
  parent: Node
}
export type Node = Root | Branch
type Branch = Text | If
`,
      'use.ts': `import { type If, Kind, type Node } from './nodes'
export function use(node: Node, branch: If) {
  node.children
  if (node.kind === Kind.Text) {
    node.children
  } else if (node.kind === Kind.Root && node.children.length > 0) {
    node.children
  }
  switch (node.kind) {
    case Kind.If:
      return node.children
    case Kind.Text:
    case Kind.Root: {
      const first = node.children
      return first
    }
    default:
      node.children
  }
  if (branch.parent.kind === Kind.Text) return branch.parent.children
  if (node.kind !== Kind.Root) return
  node.children
}
export function not(node: Node) {
  if (node.kind !== Kind.Text) return
  node.children
}
`,
    }),
  ).toEqual(['use.ts:3', 'use.ts:6', 'use.ts:7', 'use.ts:14', 'use.ts:18', 'use.ts:22']);
});

test('a key of an argument that decides its own type is only possible', async () => {
  expect(
    await uses('Options', 'name', {
      'create.ts': `export interface Options {
  name?: string
}
type Valid<Actual, Expected> = Actual extends Expected
  ? Exclude<keyof Actual, keyof Expected> extends never
    ? Actual
    : Expected
  : never
type Without<T, Key> = T extends unknown ? Omit<T, Key> : never
type Hook<Input, Detail> = { detail?: Detail } & Input
export function create<Given extends Options>(options?: Valid<Given, Options>) {}
export function make<Given>(options: Without<Options, 'other'>, given: Given) {}
export declare function route<
  Given extends Options,
  const Handle extends {} extends Given ? (options: Options) => void : (options: Options) => Given,
>(handle: Handle, hook?: Hook<Given, string>): void
`,
      'use.ts': `import { create, make, route } from './create'
create({ name: 'a' })
make({ name: 'a' }, 1)
route(({ name }) => name, {
  name: 'a',
})
`,
    }),
  ).toEqual(['use.ts:3', 'use.ts:4']);
});

test('a member is used by its name in brackets, of values and of types', async () => {
  expect(
    await uses('Options', 'size', {
      'options.ts': `export interface Options {
  size: number
}
export interface Nested<T> {
  own: T
}
`,
      'use.ts': `import type { Nested, Options } from './options'
export type Size = Options['size']
export type Deep = Nested<Options>['own']['size']
export function use(options: Options, other: { size: string }, key: keyof Options) {
  options['size']
  options?.["size"]
  other['size']
  options[key]
  let copy: (typeof options)['size']
  let same: typeof options['size']
}
`,
    }),
  ).toEqual(['use.ts:2', 'use.ts:3', 'use.ts:5', 'use.ts:6', 'use.ts:9', 'use.ts:10']);
});

test('a member that a type of a union must not have is not meant', async () => {
  const files = {
    'options.ts': `export interface WithQuery {
  query(): string
  run?: never
}
export interface WithRun {
  query?: never
  run(): string
}
export declare function build(options: WithQuery | WithRun): void
`,
    'use.ts': `import { build } from './options'
export function use(query: () => string) {
  build({ query: () => '' })
  build({ query })
}
`,
  };
  expect(await uses('WithQuery', 'query', files)).toEqual(['use.ts:3', 'use.ts:4']);
  expect(await uses('WithRun', 'query', files)).toEqual([]);
});

test('type arguments over several lines, inside others', async () => {
  expect(
    await uses('Server', 'handle', {
      'server.ts': `export class Server<Path, Schema> {
  get<
    const Own extends string,
    Input extends Merged<
      Schema,
      Merged<
        Path,
        Own
      >
    >,
  >(path: Own, input?: Input): Server<
    Path,
    Merged<
      Schema,
      Input
    >
  > {
    return this as never
  }
  handle = async (request: string) => request
}
export type Merged<A, B> = A & B
export type Server2 = Server<1, 2>
`,
      'use.ts': `import { Server } from './server'
const app = new Server<1, 2>().get('/a').get('/b')
app.handle('/a')
`,
    }),
  ).toEqual(['use.ts:3']);
});

test('a function in a callback sees the variables around it, and not those of its neighbours', async () => {
  expect(
    await uses('Ref', 'value', {
      'ref.ts': `export interface Ref {
  value: number
}
export declare function ref(): Ref
`,
      'use.ts': `import { ref } from './ref'
import type { Rival } from './rival'
declare function test(name: string, run: (given: Rival) => void): void
test('one', (given) => {
  const num = ref()
  const Comp = () => {
    num.value
  }
})
test('two', (given) => {
  const num = given
  const Comp = {
    setup() {
      const inner = () => num.value
    },
  }
})
`,
    }),
  ).toEqual(['use.ts:7']);
});

test('a function with members of its own is called like the function', async () => {
  expect(
    await uses('Options', 'most', {
      'retry.ts': `export interface Options {
  most: number
}
function again(work: () => void, options: Options) {}
export const retry = Object.assign(again, { fail: () => {} })
`,
      'use.ts': `import { retry } from './retry'
retry(() => {}, { most: 3 })
`,
    }),
  ).toEqual(['use.ts:2']);
});

test('a member that is not picked, or left out where a type is used, is not meant', async () => {
  expect(
    await uses('Options', 'headers', {
      'options.ts': `export interface Options {
  headers: string
  query: string
}
export type Picked = Pick<Options, 'query'>
`,
      'use.ts': `import type { Options, Picked } from './options'
export function use(
  one: Pick<Options, 'query'> & { headers: Map<string, string> },
  two: Omit<Options, 'headers'> & { headers: number },
  three: Pick<Options, 'headers' | 'query'>,
  four: Picked,
) {
  one.headers
  two.headers
  three.headers
  four.headers
}
`,
    }),
  ).toEqual(['use.ts:10']);
});

test('a type in braces that is given for a type parameter is not what the parameter extends', async () => {
  expect(
    await uses('Root', 'transformer', {
      'root.ts': `export interface Root {
  transformer: boolean
}
export type Create<T extends Root> = T
export type AnyRoot = Create<{ transformer: any }>
`,
      'use.ts': `import type { AnyRoot, Root } from './root'
export function use<A extends AnyRoot, B extends Root>(a: A['transformer'], b: B['transformer']) {}
export type Other<A extends AnyRoot> =
  A['transformer']
`,
    }),
  ).toEqual(['use.ts:2']);
});

test('what a type has under any name', async () => {
  expect(
    await uses('State', 'on', {
      'machine.ts': `export interface State<Event> {
  states?: States<Event> | undefined
  byName?: Named<Event>
  on?: Event
}
type States<Event> = {
  [K in string]: State<
    Event
  >
}
interface Named<Event> {
  [name: string]: State<Event>
}
export declare function create<Event>(config: { types?: string } & State<Event>): void
`,
      'use.ts': `import { create, type State } from './machine'
create({
  on: 1,
  states: { a: { on: 2, states: { b: { on: 3 } } } },
  byName: { c: { on: 4 } },
})
export function use(state: State<string>) {
  state.states?.a.on
  state.byName!['c'].on
}
`,
    }),
  ).toEqual(['use.ts:3', 'use.ts:4', 'use.ts:4', 'use.ts:5', 'use.ts:8', 'use.ts:9']);
});
