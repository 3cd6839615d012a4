/**
 * Attacks and faults by what was tried, each with the tests that try it again. A test is named by its file and the
 * beginning of its name; a file alone means all of its tests. docs/reliability.md shows them with their results.
 */
export interface Try {
  readonly tried: string;
  /** Why it does not hold today. */
  readonly open?: string;
  /** The share that must hold, if it is not all of them. */
  readonly least?: number;
  readonly tests: readonly (readonly [file: string, name?: string])[];
}

const PATHS = 'test/attacks/paths-outside.attacks.ts';
const SWAPS = 'test/swapped-links.test.ts';
const LOGS = 'src/sessions/odd-files.test.ts';
const RAW = 'test/attacks/raw-requests.test.ts';
const BROWSER = 'test/attacks/browser.attacks.ts';
const NOBODY = 'test/nobody-in.test.ts';
const SECRETS = 'test/attacks/redaction.attacks.ts';
const BLOCKS = 'test/code-secret-attacks.test.ts';
const TREE = 'test/attacks/hostile-repository.attacks.ts';
const RULES = 'test/odd-files.test.ts';
const LIMITS = 'test/faults/limits.faults.ts';
const DATA = 'test/faults/data-folder.faults.ts';
const BASE = 'test/faults/pinhole-db.faults.ts';
const RECORDS = 'test/faults/records.faults.ts';
const LARGE = 'test/mcp-large.test.ts';
const PLANS = 'src/disk/clean-up/clean-up-plans.test.ts';
const KILLS = 'test/faults/kills.faults.ts';
const RANDOM = 'test/attacks/random-calls.attacks.ts';
const HTTP = 'src/http/http-app.test.ts';
const SIGN_IN = 'src/http/sign-in.test.ts';

export const TRIES: Readonly<Record<string, readonly Try[]>> = {
  'Reading outside the allowed folders': [
    {
      tried:
        '48 spellings of a path that leads out (.., links, /proc, ~, NUL, %2e, file:) for every operation that takes one',
      tests: [[PATHS, 'no operation shows what is outside']],
    },
    {
      tried: 'a hard link to a file outside: it is the file itself, so it is read',
      tests: [[PATHS, 'a hard link inside']],
    },
    {
      tried: 'a file or folder swapped for a link during a search',
      tests: [
        [SWAPS, 'regex_search'],
        ['src/contract/roots.test.ts', 'no byte from outside'],
      ],
    },
    { tried: 'the same during grep and /api/code/matches', tests: [[SWAPS, 'grep']] },
    { tried: 'the same during cd', tests: [[SWAPS, 'cd']] },
    {
      tried:
        'the same during file_view, inspect, downloads, search by meaning, outline, symbols, scans, duplicates, sql',
      tests: [[SWAPS], ['src/disk/browse/download.test.ts', 'an attacker']],
    },
    { tried: 'a link in the place of an output that a log names', tests: [[LOGS]] },
    {
      tried: 'handles, cursors, shells, plans and lists of a folder that a caller may not read',
      tests: [['src/disk/operations/allowed-roots.test.ts']],
    },
    {
      tried: 'imports with wrong names, JSON, sizes and depths',
      tests: [['src/disk/ncdu/ncdu-round-trip.test.ts'], ['src/disk/ncdu/imported-index.test.ts']],
    },
    { tried: 'the archive copies a link beside a log', tests: [[LOGS]] },
    {
      tried: '`pinhole start` allows a folder without saying so',
      tests: [['test/daemon.test.ts', 'pinhole start says which folder']],
    },
    {
      tried: 'an agent started in / or with odd workspace folders',
      tests: [[PATHS, 'an agent that is started in the root']],
    },
  ],
  Web: [
    { tried: 'host names that are not ours, none, two, in the address', tests: [[RAW, 'host names']] },
    { tried: 'methods that no route has', tests: [[RAW, 'methods']] },
    { tried: 'heads and addresses of 20 KB, thousands of headers', tests: [[RAW, 'heads of any size']] },
    {
      tried: 'two lengths, odd encodings, bare line feeds: one request taken for two',
      tests: [[RAW, 'one request']],
    },
    {
      tried: 'routes of our own programs, spelled in other ways',
      tests: [[RAW, 'what our own programs use']],
    },
    { tried: 'upgrades to WebSocket and HTTP/2', tests: [[RAW, 'an upgrade']] },
    {
      tried: 'pages of three other origins: fetch, beacon, events, sockets, images, scripts, frames, forms',
      tests: [[BROWSER, 'pages of other sites']],
    },
    { tried: 'a host name that leads here later (DNS rebinding)', tests: [[BROWSER, 'a host name']] },
    {
      tried: 'a foreign page leads the browser to an address that writes a file',
      tests: [
        [BROWSER, 'an address'],
        ['src/http/code-matches.test.ts', 'over'],
      ],
    },
    {
      tried: 'names, code, logs and addresses that want to be a script',
      tests: [[BROWSER, 'text of files']],
    },
    { tried: 'headers that keep answers from being stored, sniffed or embedded', tests: [[HTTP]] },
    {
      tried: 'listening on 0.0.0.0 without the token',
      tests: [['src/daemon/background-address.test.ts', 'listening for others']],
    },
    { tried: 'a sign-in link used twice', tests: [[SIGN_IN, 'signing in a link signs']] },
    { tried: 'what the cookie is good for', tests: [[SIGN_IN, 'cookies and links']] },
    {
      tried: 'a cookie after signing out and a restart',
      tests: [
        [SIGN_IN, 'signing in signing out'],
        [SIGN_IN, 'signing in a cookie ends'],
      ],
    },
    { tried: '1,000 guesses at the token', tests: [[RAW, 'a thousand guesses']] },
    { tried: 'the token in logs, addresses and answers', tests: [[RAW, 'neither token']] },
    {
      tried: 'thousands of connections, unfinished heads, slow bodies, streams',
      tests: [['test/attacks/connections.attacks.ts']],
    },
  ],
  'Other accounts and processes of this machine': [
    { tried: 'another account allows a folder with made-up headers', tests: [[NOBODY]] },
    {
      tried: 'another account reads the data folder',
      tests: [['test/private-files.test.ts'], ['src/store/private-files.test.ts']],
    },
    {
      tried: 'another account reads sessions, audit and allowed folders',
      tests: [[NOBODY], ['test/route-access.test.ts', 'another account']],
    },
    {
      tried: 'the token of a team on routes of our own programs',
      tests: [
        [SIGN_IN, 'who has the token of a team'],
        ['test/route-access.test.ts', 'the token for a team'],
      ],
    },
    {
      tried: 'a program takes the port or socket of a dead process',
      tests: [['test/squatter.test.ts'], [SIGN_IN, 'the tokens are replaced after a crash']],
    },
    { tried: 'another account changes something over MCP', tests: [[NOBODY]] },
    {
      tried: 'another account claims to be the page',
      tests: [[NOBODY], ['test/route-access.test.ts', 'a page with made-up headers']],
    },
    { tried: 'a data folder that another account planted as a link', tests: [['src/app/home.test.ts']] },
    { tried: 'a data folder that everybody may list', tests: [['test/private-files.test.ts']] },
  ],
  Secrets: [
    {
      tried: 'made-up secrets of 94 kinds through every door',
      least: 0.99,
      tests: [[SECRETS, 'secrets of']],
    },
    { tried: 'private keys and other blocks, line by line', tests: [[BLOCKS]] },
    { tried: 'a window that slides along a line', tests: [[BLOCKS, 'a window that slides']] },
    {
      tried: 'a text that is cut before a secret ends',
      tests: [['src/sessions/cut-secrets.test.ts'], ['src/contract/redact/lines.test.ts']],
    },
    { tried: 'downloads by a script', tests: [['test/disk-http.test.ts', 'downloads are for a person']] },
    { tried: 'names in an export for a script', tests: [['test/disk-http.test.ts', 'names in it']] },
    {
      tried: 'secrets in names of files and folders',
      least: 0.99,
      tests: [
        [SECRETS, 'secrets of'],
        ['test/code-secrets.test.ts', 'names of files'],
      ],
    },
    {
      tried: 'an event from the middle of a secret on',
      tests: [['src/contract/redact/lines.test.ts'], ['src/sessions/secrets.test.ts']],
    },
    { tried: 'secrets in audit, log and jobs', least: 0.99, tests: [[SECRETS, 'secrets of']] },
    {
      tried: 'secrets in search by meaning, CSV, lines of JSON, the page',
      least: 0.99,
      tests: [
        [SECRETS, 'secrets of'],
        ['test/code-secrets.test.ts', 'neither does'],
      ],
    },
    { tried: '20 everyday passwords in 20 forms', tests: [[SECRETS, 'everyday passwords']] },
    {
      tried: 'ordinary text and real source stay as they are',
      least: 0.99999,
      tests: [['src/contract/redact/keep.test.ts'], [SECRETS, 'real source']],
    },
    { tried: 'texts that are made to be slow to redact', tests: [['src/contract/redact/bomb.test.ts']] },
    {
      tried: 'a search for a secret, whole or its beginning',
      tests: [
        ['test/code-secrets.test.ts', 'a query for a secret'],
        ['src/sessions/secrets.test.ts', 'a search for a secret'],
      ],
    },
  ],
  Faults: [
    { tried: 'a file swapped for a pipe during a search', tests: [[RULES, 'a file that is swapped']] },
    { tried: 'a pipe in the place of every ignore file', tests: [[RULES, 'a pipe as'], [TREE]] },
    { tried: 'an ignore file that is a link to /dev/zero', tests: [[RULES, 'a link to /dev/zero'], [TREE]] },
    { tried: 'pipes and devices as sources and logs', tests: [[TREE], [LOGS]] },
    { tried: 'pipes beside logs: outputs, facts on subagents, lists of projects', tests: [[LOGS]] },
    { tried: 'an output of a log that is a link to /dev/zero', tests: [[LOGS]] },
    { tried: 'sizes whose sum is above 2^53', tests: [['src/disk/indexes/huge-sizes.test.ts']] },
    { tried: '1,000 SIGKILLs at random moments of all kinds of work', tests: [[KILLS]] },
    {
      tried: 'a full disk',
      tests: [[LIMITS, 'on a full disk'], ['src/disk/indexes/killed-process-and-full-disk.test.ts']],
    },
    {
      tried: 'stopping on a full disk',
      tests: [['test/stopping.test.ts', 'pinhole stop ends the process on a full disk']],
    },
    { tried: 'changing a setting on a full disk', tests: [[LIMITS, 'on a full disk']] },
    {
      tried: 'a data folder that cannot be written',
      tests: [
        [LIMITS, 'a data folder that cannot'],
        ['test/daemon.test.ts', 'the background process a data folder that is not writable'],
      ],
    },
    {
      tried: 'each file of the data folder flipped, cut, emptied, overwritten',
      tests: [[DATA, 'a damaged file']],
    },
    {
      tried: 'pinhole.db cut, overwritten, replaced',
      tests: [
        [BASE, 'a damaged database'],
        [BASE, 'without a good copy'],
      ],
    },
    { tried: 'a damaged write-ahead log after a kill', tests: [[BASE, 'a damaged write-ahead log']] },
    {
      tried: 'logs with zeros, wrong bytes, half lines',
      tests: [['src/sessions/damage.test.ts'], ['src/sessions/odd-logs.test.ts']],
    },
    { tried: 'a record nested 100,000 deep', tests: [[RECORDS, 'a record nested']] },
    { tried: 'logs cut, rewritten and deleted while they are read', tests: [[DATA, 'logs that are cut']] },
    { tried: 'a record of 2 GB', tests: [[RECORDS, 'a record of']] },
    { tried: 'a tree of 300,000 files', tests: [[LIMITS, 'a tree of very many files']] },
    { tried: '1,000 folders inside each other', tests: [[LIMITS, 'N folders inside']] },
    {
      tried: '64 descriptors: work, or a message that says so; 128 are enough',
      tests: [
        [LIMITS, 'N descriptors are enough'],
        [LIMITS, 'with N or N descriptors'],
      ],
    },
    { tried: '40 descriptors', tests: [[LIMITS, 'with N or N descriptors']] },
    { tried: '20 watches for folders', tests: [[LIMITS, 'where no more folders']] },
    {
      tried: '300 and 150 MB of memory',
      tests: [
        [LIMITS, 'in N MB of memory N files'],
        [LIMITS, 'in N MB of memory every call'],
      ],
    },
    {
      tried: 'work that gets the process killed, at every start',
      tests: [['src/jobs/queue.test.ts', 'after a restart work that was under way whenever']],
    },
    { tried: 'a clock that jumps by years', tests: [[DATA, 'a clock that jumps']] },
    {
      tried: 'a clock that is set back by an hour',
      tests: [
        ['src/contract/rate.test.ts', 'a clock that is set back'],
        [DATA, 'a clock that jumps'],
      ],
    },
    {
      tried: 'two versions at once',
      tests: [['test/daemon.test.ts', 'the background process an idle background of another version']],
    },
    { tried: 'a data folder of a newer version', tests: [['src/store/sqlite.test.ts', 'an older schema']] },
    { tried: 'ignore rules with thousands of braces and stars', tests: [['src/glob/glob.test.ts'], [TREE]] },
    {
      tried: 'an ignore file with 200,000 rules, and one line of megabytes',
      tests: [[TREE], [RULES, 'a file of']],
    },
    { tried: 'a pipe as the ignore file of a folder above', tests: [[RULES, 'a pipe as']] },
  ],
  'Agents that abuse their tools': [
    {
      tried: 'regular expressions, globs and filters made to hang',
      tests: [
        ['src/code/exact/hanging-patterns.test.ts'],
        ['src/glob/glob.test.ts'],
        [RANDOM, 'random filters'],
      ],
    },
    {
      tried: 'input nested thousands of levels deep',
      tests: [['src/contract/input-limits.test.ts'], [LARGE]],
    },
    { tried: 'arguments of megabytes', tests: [[LARGE]] },
    { tried: 'arguments of 5 MB, small calls, 2 MB', tests: [[LARGE]] },
    { tried: 'a message of 11 MB', tests: [[LARGE]] },
    {
      tried: '__proto__, constructor and the like as names and values',
      tests: [[RANDOM, 'random values'], ['test/attacks/raw-fuzz.test.ts']],
    },
    {
      tried: 'numbers, times and texts of every odd kind',
      tests: [[RANDOM, 'random values'], ['src/contract/input.test.ts']],
    },
    {
      tried: 'cursors, results, sets, queries and jobs of another agent, and made-up ones',
      tests: [
        ['test/links.test.ts'],
        [RANDOM, 'random cursors'],
        ['src/contract/engine.test.ts', 'wrong cursors'],
      ],
    },
    {
      tried: 'result sets without end',
      tests: [['src/contract/engine.test.ts', 'kept results the hundred and first']],
    },
    {
      tried: 'new connections and names to get around the rate limit',
      tests: [['test/attacks/rate-limits.attacks.ts']],
    },
    { tried: 'a search for one letter in 120,000 lines', tests: [['src/code/exact/many-hits.test.ts']] },
    {
      tried: 'instructions in logs reach an agent outside of data',
      tests: [['test/attacks/planted-instructions.test.ts'], ['test/attacks/planted-hints.test.ts']],
    },
    {
      tried: 'a line of a log that looks like a suggestion of Pinhole',
      tests: [['test/attacks/planted-hints.test.ts']],
    },
  ],
  'Clean-ups': [
    { tried: 'another account prepares and runs a clean-up', tests: [[NOBODY, 'somebody without proof']] },
    {
      tried: 'a clean-up run with the token',
      tests: [
        ['test/disk-http.test.ts', 'changes need the token'],
        ['test/route-access.test.ts', 'these are open'],
      ],
    },
    {
      tried: 'a clean-up run without the token',
      tests: [['test/disk-http.test.ts', 'changes need the token']],
    },
    {
      tried: 'SIGKILL in the middle of a clean-up, then undo',
      tests: [[KILLS, 'kills at random moments lose nothing: during a clean-up']],
    },
    {
      tried: 'files changed between plan and run',
      tests: [
        [PLANS, 'a plan leaves'],
        [PLANS, 'a folder in a plan'],
        [PLANS, 'a plan does not follow'],
      ],
    },
    { tried: 'files swapped during the run', tests: [['test/attacks/swapped-clean-up.attacks.ts']] },
    {
      tried: 'a plan over the root itself',
      tests: [['test/attacks/swapped-clean-up.attacks.ts', 'a plan of the root']],
    },
    {
      tried: 'undo where the place is taken or the trash is empty',
      tests: [
        [PLANS, 'a plan undo overwrites'],
        [PLANS, 'a plan moves to the trash'],
      ],
    },
    {
      tried: 'undo through a folder that became a link',
      tests: [[PLANS, 'a plan undo does not move through']],
    },
    {
      tried: 'undo when another file has the inode number',
      tests: [[PLANS, 'a plan undo takes no other file']],
    },
    {
      tried: 'a trash on another file system, or planted as a link',
      tests: [[PLANS, 'on a file system of its own']],
    },
    {
      tried: "a plan of Pinhole's own data and of the trash",
      tests: [['test/attacks/swapped-clean-up.attacks.ts', "a plan of Pinhole's own"]],
    },
  ],
  'Supply chain': [
    {
      tried: 'outgoing connections, seen by strace over all kinds of work',
      tests: [['test/attacks/no-connections.attacks.ts']],
    },
    {
      tried: 'secrets in the command lines of child processes',
      tests: [['test/attacks/no-connections.attacks.ts', 'no command line']],
    },
    { tried: 'what the package contains', tests: [['test/supply-chain.test.ts', 'the package contains']] },
    {
      tried: 'exact versions, checksums, licences, no install script that is needed',
      tests: [['test/supply-chain.test.ts'], ['test/packaging.test.ts']],
    },
    {
      tried: 'known weaknesses of what is installed',
      tests: [['test/supply-chain.test.ts', 'the release is checked']],
    },
  ],
};
