import { redactThenCut } from '../../contract/redact.ts';
import { leaveBranch, rememberLink, rewind } from './branches.ts';
import { isEcho } from './echoes.ts';
import type { ParsedRecord, Part, Touch } from './event.ts';
import { FLAG, type ToolRow } from './event-rows.ts';
import { emptyGathered, type Gathered } from './gathered.ts';
import { hashText } from './hash.ts';
import { endedProcess, noteWrite } from './processes.ts';
import { trackReplay } from './replay.ts';
import { mergeFacts, ofThisSession } from './session-facts.ts';
import { type AssemblerState, noteTime } from './state.ts';
import {
  answerCall,
  answerWithEarly,
  cleanName,
  forgetOld,
  keepEarlyAnswer,
  newCall,
  noteOutcome,
  noteRunning,
} from './tool-calls.ts';
import { absoluteTouches, type Tools } from './tool-kinds.ts';
import { beginTurn, closeStep, enterStep, markTurn } from './turn-building.ts';
import { noteUnknown } from './unknown-things.ts';
import { usageOf } from './usage-tracker.ts';

/** The position of a record in its file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  /** Equal for all copies of the record. */
  readonly hash: number;
}

export interface AssemblerOptions {
  /** The agent that wrote the log. */
  readonly provider: { readonly id: string; readonly tools: Tools };
  readonly redact: (text: string) => string;
}

const MAX_SNIPPET_LENGTH = 400;

/** Assembles the records of one log into events, steps, turns, calls with their results, and tokens. */
export class Assembler {
  readonly state: AssemblerState;
  readonly #options: AssemblerOptions;
  /** Hashes of the records of the session that this one was copied from. */
  #origin: ReadonlySet<number> | undefined;
  #gathered: Gathered = emptyGathered();
  /** Time of the record being added. */
  #ms: number;

  constructor(state: AssemblerState, options: AssemblerOptions) {
    this.state = state;
    this.#ms = state.ms;
    this.#options = options;
  }

  take(): Gathered {
    const gathered = this.#gathered;
    this.#gathered = emptyGathered();
    forgetOld(this.state.calls);
    return gathered;
  }

  /** Sets the hashes of the records in the session that this one was copied from. */
  knowOrigin(hashes: ReadonlySet<number> | undefined): void {
    this.#origin = hashes;
  }

  /** Adds a line that is not JSON; the lines after it are read as usual. */
  addBad(text: string, place: Place): void {
    this.state.badLines++;
    const part: Part = { type: 'notification', text };
    this.#push(part, 0, { label: 'bad line', flags: FLAG.bad | FLAG.silent, place, search: '', call: -1 });
  }

  add(given: ParsedRecord, place: Place): void {
    const { state } = this;
    const record = ofThisSession(given, state);
    const ms = noteTime(state, record.ms);
    this.#ms = ms;
    trackReplay(state, record, place.hash, ms, this.#origin);
    mergeFacts(state, record.facts, this.#options.redact);
    if (!record.known) noteUnknown(state, record.label, this.#options.redact);
    const flags =
      (record.known ? 0 : FLAG.opaque) |
      (record.sidechain === true ? FLAG.sidechain : 0) |
      (state.replay === undefined ? 0 : FLAG.inherited);
    if (record.rewind !== undefined) rewind(state, record.rewind, this.#gathered);

    if (state.answered && record.marks?.includes('request') === true) closeStep(state);
    const first = state.events;
    for (const [index, part] of record.parts.entries()) this.#addPart(part, index, record, flags, place);
    if (state.events === first) {
      // Even a rewritten record with nothing new becomes an event, so that every byte of the log belongs to one.
      const silent = {
        ...(record.parts[0] ?? { type: 'notification', text: '' }),
        type: 'notification' as const,
      };
      this.#push(silent, 0, {
        label: record.label,
        flags: flags | FLAG.mirror | FLAG.silent,
        place,
        search: '',
        call: -1,
      });
    }
    const running = record.running && noteRunning(state.calls, record.running);
    if (running?.agentCalls !== undefined) this.#gathered.tools.add(running);
    const usage = usageOf(state, record, this.#options.provider.id, first, ms);
    if (usage !== undefined) this.#gathered.usage.push(usage);
    for (const mark of record.marks ?? []) {
      if (mark === 'step_end') {
        state.marksSteps = true;
        closeStep(state);
      } else markTurn(state, mark, first, this.#gathered);
    }
    if (record.compactedTokens !== undefined && record.compactedTokens > 0)
      this.#gathered.compacted.push({ event: state.compactionEvent, tokens: record.compactedTokens });
    rememberLink(state, record);
  }

  #addPart(part: Part, index: number, record: ParsedRecord, flags: number, place: Place): void {
    const { state } = this;
    if (part.identity !== undefined && this.#known(part.identity)) return;
    const echo = isEcho(state.echoes, part, record.label) && part.type !== 'tool_result';
    const search = part.searchText ?? (part.silent === true ? '' : part.text);
    const base = { label: record.label, flags, place, search, call: -1 };
    if (echo) {
      if (part.type === 'user') this.#confirmPrompt(part);
      this.#push({ ...part, type: 'notification' }, index, {
        ...base,
        flags: flags | FLAG.mirror | FLAG.silent,
        search: '',
      });
      return;
    }
    if (record.sidechain === true && part.type === 'user') {
      this.#push({ ...part, type: 'notification' }, index, base);
      return;
    }
    switch (part.type) {
      case 'user':
        if (part.prompt === true) {
          leaveBranch(state, record, this.#gathered);
          beginTurn(state, state.events, this.#short(search), this.#gathered);
          // beginTurn cleared the echoes: note the prompt again, because another record may still repeat it.
          isEcho(state.echoes, part, record.label);
        } else state.possiblePrompt = { event: state.events, ms: state.ms, prompt: this.#short(search) };
        this.#push(part.command === true ? { ...part, type: 'notification' } : part, index, base);
        return;
      case 'message':
      case 'reasoning':
        enterStep(state, record.response, true, this.#gathered);
        if (part.type === 'message' && part.text !== '' && record.sidechain !== true) {
          const said = this.#short(part.text);
          if (state.turn !== undefined) {
            state.turn.said = true;
            state.turn.reply = said;
            state.turn.replyEvent = state.events;
          }
          state.lastMessage = said;
        }
        this.#push(part, index, base);
        return;
      case 'tool_call':
        enterStep(state, record.response, false, this.#gathered);
        this.#addCall(part, index, base, record);
        return;
      case 'tool_result':
        this.#addResult(part, index, base);
        return;
      default: {
        const stopped = part.type === 'notification' && record.marks?.includes('interrupted') === true;
        this.#push(stopped ? { ...part, type: 'interrupt' } : part, index, base);
      }
    }
  }

  #addCall(part: Part, index: number, base: PushOptions, record: ParsedRecord): void {
    const { state } = this;
    const call = state.events;
    const { provider, redact } = this.#options;
    const name = cleanName(part.name ?? 'tool', redact);
    const touches = absoluteTouches(provider.tools.touchesOf(name, part.args ?? {}), state.facts.cwd, redact);
    const known = { name, kind: provider.tools.kindOf(name), touched: touches[0] };
    const row = newCall(state, part, record, known, redact);
    if (part.callId !== undefined) state.calls.set(part.callId, row);
    noteWrite(state.processes, part);
    this.#gathered.tools.add(row);
    this.#touch(touches, call, row.turn, row.step);
    state.toolCalls++;
    const { turn } = state;
    if (turn !== undefined) {
      turn.calls++;
      turn.openCalls += row.status === 'pending' ? 1 : 0;
      turn.tools.set(row.name, (turn.tools.get(row.name) ?? 0) + 1);
      turn.actions.set(row.action, (turn.actions.get(row.action) ?? 0) + 1);
      turn.lastFailed = 0;
      turn.said = false;
    }
    const answer = answerWithEarly(state, row, part.callId, redact);
    if (answer !== undefined) this.#gathered.paired.push({ event: answer, row });
    this.#push(part, index, { ...base, call });
  }

  #addResult(part: Part, index: number, base: PushOptions): void {
    const { state } = this;
    const event = state.events;
    const before = part.callId === undefined ? undefined : state.calls.get(part.callId);
    const failedBefore = { failed: before?.status === 'failed', checkFailed: before?.checkFailed === true };
    const { row, again } = answerCall(state.calls, part, {
      event,
      ms: state.ms,
      redact: this.#options.redact,
    });
    const begun = endedProcess(state, part, this.#options.redact);
    if (begun !== undefined) this.#gathered.tools.add(begun);
    if (row === undefined) keepEarlyAnswer(state, part, event, this.#options.redact);
    else {
      this.#gathered.tools.add(row);
      const touches = absoluteTouches(part.touches ?? [], state.facts.cwd, this.#options.redact);
      this.#touch(touches, row.call, row.turn, row.step);
      noteOutcome(state, row, { ...failedBefore, again });
    }
    if (!again && !state.marksSteps) state.answered = true;
    // A second result for a call only adds what it says besides the output.
    const search = again ? (part.echo === true ? (part.searchText ?? '') : '') : (part.whole ?? part.text);
    const mirror = again ? FLAG.mirror : 0;
    this.#push(part, index, { ...base, flags: base.flags | mirror, search, call: row?.call ?? -1 }, row);
  }

  #push(part: Part, index: number, options: PushOptions, row?: ToolRow): void {
    const { state } = this;
    const silent = part.silent === true || options.search === '';
    this.#gathered.events.push({
      index: state.events++,
      type: part.type,
      flags: options.flags | (silent ? FLAG.silent : 0),
      label: options.label,
      turn: row?.turn ?? state.turn?.index ?? -1,
      step: row?.step ?? (part.type === 'user' ? -1 : state.step),
      ms: this.#ms,
      offset: options.place.offset,
      length: options.place.length,
      part: index,
      name: part.name === undefined ? row?.name : cleanName(part.name, this.#options.redact),
      call: options.call,
      status: row?.status ?? part.status,
      exitCode: part.exitCode,
      // The text of a silent part is a getter that serialises the record, so it is not touched here.
      bytes: part.silent === true ? options.place.length : Buffer.byteLength(part.text),
      hash: options.place.hash,
      search: options.search,
    });
    if (state.turn !== undefined) {
      state.turn.endMs = Math.max(state.turn.endMs, state.ms);
      this.#gathered.turns.add(state.turn);
    }
  }

  #touch(touches: readonly Touch[], event: number, turn: number, step: number): void {
    for (const { path, action, lines } of touches)
      this.#gathered.touches.push({ event, turn, step, ms: this.state.ms, path, action, lines });
  }

  /** A possible prompt becomes a prompt when the agent also reports it as one. */
  #confirmPrompt(part: Part): void {
    const { state } = this;
    if (part.prompt === true && state.possiblePrompt !== undefined) {
      const { event, prompt } = state.possiblePrompt;
      beginTurn(state, event, prompt, this.#gathered);
    }
  }

  #known(identity: string): boolean {
    const { identities } = this.state;
    const whole = hashText(identity);
    if (identities.has(whole)) return true;
    identities.add(whole);
    identities.add(hashText(identity.split('|', 2).join('|')));
    return false;
  }

  #short(text: string): string {
    return redactThenCut(text, MAX_SNIPPET_LENGTH, this.#options.redact);
  }
}

interface PushOptions {
  readonly label: string;
  readonly flags: number;
  readonly place: Place;
  readonly search: string;
  readonly call: number;
}
