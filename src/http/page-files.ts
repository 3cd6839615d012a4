import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Hono } from 'hono';
import { z } from 'zod';

/** The page's views, written when the page is built; the page itself handles what follows their paths. */
const VIEWS_FILE = '.views.json';

const viewsSchema = z.array(z.object({ path: z.string(), files: z.array(z.string()) }));
type View = z.infer<typeof viewsSchema>[number];

const HOME: View = { path: '/', files: [] };

const FOR_PROGRAMS = /^\/(?:api|mcp|internal)(?:\/|$)/;

const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** The policy of the page; what its HTML itself runs is allowed by its hash. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code);
  const hashes = scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return [POLICY, ["script-src 'self'", ...hashes].join(' ')].join('; ');
}

interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  readonly immutable: boolean;
  readonly policy: string;
}

/** Serves the built page: its files, and its frame for every view. */
export function pageRoutes(app: Hono, folder = builtPage()): void {
  const files = folder === undefined ? new Map<string, StaticFile>() : readFiles(folder);
  for (const [name, file] of files) app.get(`/${name}`, (c) => send(c, file));
  const frame = files.get('index.html');
  for (const view of folder === undefined ? [HOME] : readViews(folder)) {
    const paths = view.path === '/' ? [view.path] : [view.path, `${view.path}/*`];
    const own = frame && withPreloads(frame, view.files);
    for (const path of paths) app.get(path, (c) => (own ? send(c, own) : notBuilt(c)));
  }
  // A person who mistyped an address gets the page, which says so; programs get an error.
  app.get('*', async (c, next) => {
    const asksPage = c.req.header('accept')?.includes('text/html') && !FOR_PROGRAMS.test(c.req.path);
    return frame !== undefined && asksPage ? send(c, frame, 404) : next();
  });
}

function send(c: Context, file: StaticFile, status: 200 | 404 = 200): Response {
  const headers = {
    'content-security-policy': file.policy,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
  };
  if (status === 200 && c.req.header('if-none-match') === file.etag) return c.body(null, 304, headers);
  return c.body(file.body, status, { ...headers, 'content-type': file.type });
}

function notBuilt(c: Context): Response {
  return c.text('The page is not built. Run: npm run build', 503);
}

/** The folder dist/web, whether this code runs from dist or from the sources. */
function builtPage(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const place of [join(folder, 'web'), join(folder, 'dist', 'web')]) {
      // Only the built page has this file; the sources are in a folder `web` too.
      if (existsSync(join(place, VIEWS_FILE))) return place;
    }
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function readViews(folder: string): readonly View[] {
  return viewsSchema.parse(JSON.parse(readFileSync(join(folder, VIEWS_FILE), 'utf8')));
}

/** The frame of a view: the browser fetches the view's files together with those of the frame. */
function withPreloads(frame: StaticFile, names: readonly string[]): StaticFile {
  const links = names.map((name) =>
    name.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin href="/${name}">`
      : `<link rel="modulepreload" crossorigin href="/${name}">`,
  );
  const html = new TextDecoder().decode(frame.body).replace('</head>', `${links.join('')}</head>`);
  return staticFile(new TextEncoder().encode(html), frame.type, frame.immutable);
}

function staticFile(body: Uint8Array<ArrayBuffer>, type: string, immutable: boolean): StaticFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
  const policy = type.startsWith('text/html') ? policyFor(new TextDecoder().decode(body)) : POLICY;
  return { body, type, etag, immutable, policy };
}

/** Keeps all files in memory, a few hundred kilobytes, so that no request sees half a build. */
function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || entry.name.startsWith('.') || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    files.set(name, staticFile(new Uint8Array(readFileSync(path)), type, name.startsWith('assets/')));
  }
  return files;
}
