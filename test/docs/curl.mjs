// The part of curl that the guide uses, for machines where curl is not installed.
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    fail: { type: 'boolean', short: 'f' },
    get: { type: 'boolean', short: 'G' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    json: { type: 'string' },
    'data-urlencode': { type: 'string', multiple: true, default: [] },
  },
});
const url = new URL(positionals[0]);
for (const pair of values['data-urlencode']) {
  const at = pair.indexOf('=');
  url.searchParams.append(pair.slice(0, at), pair.slice(at + 1));
}
const body = values.json ?? values.data;
const reply = await fetch(url, {
  method: values.request ?? (body === undefined ? 'GET' : 'POST'),
  headers: [
    ...(values.json === undefined ? [] : [['content-type', 'application/json']]),
    ...values.header.map((line) => line.split(/: */, 2)),
  ],
  ...(body === undefined ? {} : { body }),
});
process.stdout.write(await reply.text());
if (values.fail && !reply.ok) process.exitCode = 22;
