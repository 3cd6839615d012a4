#!/usr/bin/env node
import { runCli } from './cli/cli.ts';
import { exitSoon } from './connect/end-process.ts';

exitSoon(await runCli(process.argv.slice(2)));
