import { performance } from 'node:perf_hooks';
import { answerOf } from './caller.mjs';
import { random } from './random.mjs';

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Sends the calls four at a time, each through the next free caller: measures what they cost, not how long they take.
 */
export async function costPhase(callers, calls) {
  const done = [];
  const queue = calls.values();
  await Promise.all(
    callers.map(async (caller) => {
      for (const call of queue) done.push(await ask(caller, call, performance.now()));
    }),
  );
  return done;
}

/**
 * Sends calls at times that do not depend on the answers, as many independent clients would. A call waits while all
 * clients are waiting for answers, and that counts: its time starts when it was due.
 */
export async function openPhase(callers, next, { rate, seconds }) {
  const chance = random(23);
  const done = [];
  const free = [...callers];
  const waiting = [];
  const running = new Set();
  const began = performance.now();
  const start = (caller, call, due) => {
    const asked = ask(caller, call, due).then((result) => {
      done.push(result);
      running.delete(asked);
      const [first] = waiting.splice(0, 1);
      if (first === undefined) free.push(caller);
      else start(caller, ...first);
    });
    running.add(asked);
  };
  let due = began;
  let call = next();
  for (;;) {
    due += (-Math.log(1 - chance()) * 1000) / rate;
    if (due - began > seconds * 1000) break;
    const left = due - performance.now();
    if (left > 0) await pause(left);
    const caller = free.shift();
    if (caller === undefined) waiting.push([call, due]);
    else start(caller, call, due);
    call = next();
  }
  while (running.size > 0) await Promise.all(running);
  return done;
}

/** Every caller asks again as soon as it gets its answer. */
export async function fullPhase(callers, next, { seconds }) {
  const done = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < end) done.push(await ask(caller, next(), performance.now()));
    }),
  );
  return done;
}

async function ask(caller, call, due) {
  const send = caller.prepare(call);
  const sent = performance.now();
  try {
    const response = await send();
    return { caller, call, response, late: sent - due, ms: performance.now() - due };
  } catch (error) {
    return { caller, call, error: String(error), late: sent - due, ms: performance.now() - due };
  }
}

/** What is wrong with the answers; checked after all calls, so that checking does not slow them down. */
export function problemsOf(done) {
  const problems = [];
  let asked = 0;
  let found = 0;
  for (const { caller, call, response, error } of done) {
    try {
      if (error) throw new Error(error);
      const answer = answerOf(caller.door, response);
      const problem = call.check(answer);
      if (problem) throw new Error(problem);
      if (call.check.finds) {
        asked++;
        if (call.check.finds(answer)) found++;
      }
    } catch (caught) {
      problems.push(`${call.tool} ${JSON.stringify(call.input)} over ${caller.door}: ${caught.message}`);
    }
  }
  return { problems, asked, found };
}
