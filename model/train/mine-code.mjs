// Pairs from one source file: doc comments, names, inline comments, test sentences, messages, module docs, paths.
import { commentAt, docString, question } from './comments.mjs';
import { blockEnd, declaredName, declares, indentOf } from './declarations.mjs';
import { pathWords } from './pairs.mjs';
import { words } from './words.mjs';

const TEST =
  /\b(?:it|test|describe|context|scenario|specify|should|Given|When)\s*(?:\.\w+)*[\s(]+(["'`])((?:(?!\1).){12,120})\1/;
const MESSAGE = /(["'`])([A-Z]?[a-z]+(?: [\w%{}$.,:'-]+){4,16})\1/;
const PREAMBLE =
  /^(import|package|use|using|#include|from|require|module|namespace|<\?php|#!|"use strict"|'use strict')/;
const PLAIN_STEM = /^(index|main|mod|lib|init|__init__|utils?|types?)$/i;
const BODY_LINES = 42;

export function mineCode(pairs, path, text, language) {
  const lines = text.split('\n');
  if (lines.length < 5 || lines.length > 6000) return;
  pairs.file++;
  const file = { pairs, path, lines, language, words: pathWords(path) };
  const { moduleDoc, firstCode } = mineLines(file);
  if (lines.length >= 15) mineWhole(file, moduleDoc, Math.max(0, firstCode));
}

function mineLines(file) {
  const { pairs, lines, language } = file;
  let comment;
  let moduleDoc = '';
  let firstCode = -1;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].trim();
    if (!line || line.length > 400) continue;
    const found = commentAt(lines, at, language, firstCode < 0);
    if (found !== undefined) {
      const asked = question(found.text);
      at = found.end;
      if (found.module) {
        if (asked && (!moduleDoc || language === 'py')) moduleDoc = asked;
        if (language === 'py') firstCode = at;
        continue;
      }
      if (firstCode < 0 && asked.length > 20 && !moduleDoc && at < 60) moduleDoc = asked;
      comment = asked ? { text: asked, end: at } : undefined;
      continue;
    }
    if (isDecoration(line, language, comment, at)) {
      if (comment) comment.end = at;
      continue;
    }
    if (firstCode < 0 && !PREAMBLE.test(line)) firstCode = at;
    const near = comment && comment.end >= at - 2 ? comment.text : '';
    const beside = comment && comment.end >= at - 1 ? comment.text : '';
    comment = undefined;
    const name = declaredName(line, language);
    if (name) mineDeclaration(file, at, name, near);
    else if (!mineTest(file, at, line) && !mineInline(file, at, beside) && pairs.random() < 0.5)
      mineMessage(file, at, line);
  }
  return { moduleDoc, firstCode };
}

/** Attributes and decorators between a comment and what it describes. */
function isDecoration(line, language, comment, at) {
  if (language === 'ex' && line[0] === '@' && !/^@(doc|moduledoc)/.test(line)) return true;
  const decorates = line[0] === '@' || line.startsWith('#[') || (language === 'cs' && line[0] === '[');
  return Boolean(
    decorates && comment && comment.end >= at - 2 && !/^@interface\b/.test(line) && !declares(line),
  );
}

function mineDeclaration({ pairs, path, lines, language, words: own }, at, name, comment) {
  const doc = language === 'py' ? pythonDoc(lines, at) : undefined;
  const end = blockEnd(lines, at, BODY_LINES + (doc ? doc.end - doc.start : 0), name, language);
  const body = doc
    ? [...lines.slice(at, doc.start), ...lines.slice(doc.end + 1, Math.max(end, doc.end + 1))]
    : lines.slice(at, end);
  const asked = (doc && question(doc.text)) || comment;
  if (body.length < 2 && !asked) return;
  const document = pairs.document(own, body.join('\n'));
  if (document === undefined) return;
  if (asked) pairs.ask(document, 'd', asked);
  const last = name.split(/[.:]+/).pop();
  if (body.length >= 3) pairs.define(last, document);
  if (body.length >= 3 && last.length > 4 && pairs.random() < (asked ? 0.35 : 0.5)) {
    const stem = path
      .replace(/\.[^.]*$/, '')
      .split('/')
      .at(-1);
    pairs.ask(document, 'n', pairs.random() < 0.3 ? `${last} ${stem}` : last);
  }
  pairs.keep(document);
}

/** The doc string below a Python signature, as `{ text, start, end }`. */
function pythonDoc(lines, at) {
  let signature = at;
  while (signature < lines.length && signature - at < 10 && !/:\s*(#.*)?$/.test(lines[signature]))
    signature++;
  let start = signature + 1;
  while (start < lines.length && !lines[start].trim()) start++;
  if (!/^[rRuU]?("""|''')/.test((lines[start] ?? '').trim())) return undefined;
  return { ...docString(lines, start), start };
}

/** Tests written as sentences. */
function mineTest({ pairs, lines, language, words: own }, at, line) {
  const sentence = TEST.exec(line)?.[2];
  if (!sentence || sentence.split(' ').length < 3) return false;
  const end = blockEnd(lines, at, 28, undefined, language);
  const document = pairs.document(own, lines.slice(at + 1, Math.max(end, at + 2)).join('\n'));
  if (document && pairs.random() < 0.5) {
    pairs.ask(document, 'i', sentence);
    pairs.keep(document);
  }
  return true;
}

/** A comment and the few lines it stands above. */
function mineInline({ pairs, lines, words: own }, at, comment) {
  if (!comment) return false;
  const indent = indentOf(lines[at]);
  let end = at + 1;
  for (; end < lines.length && end - at < 12; end++) {
    if (!lines[end].trim()) {
      if (end - at > 4) break;
    } else if (indentOf(lines[end]) < indent) break;
  }
  if (comment.split(' ').length >= 4) {
    const document = pairs.document(own, lines.slice(at, end).join('\n'));
    pairs.ask(document, 'c', comment);
    pairs.keep(document);
  }
  return true;
}

/** A message of several words and the code around it. */
function mineMessage({ pairs, lines, words: own }, at, line) {
  const match = MESSAGE.exec(line);
  if (match === null) return;
  const around = [
    ...lines.slice(Math.max(0, at - 8), at),
    line.replace(match[0], ' '),
    ...lines.slice(at + 1, at + 3),
  ];
  const document = pairs.document(own, around.join('\n'));
  pairs.ask(document, 's', match[2].replace(/[%{}$]\w*/g, ' '));
  pairs.keep(document);
}

/** What a file is about, by its module doc and its path, for a few stretches of it. */
function mineWhole({ pairs, path, lines, words: own }, moduleDoc, firstCode) {
  const parts = path.replace(/\.[A-Za-z0-9]+$/, '').split('/');
  const stem = parts.pop();
  const folder = parts.pop() ?? '';
  for (let stretch = 0; stretch < Math.min(3, Math.max(1, Math.floor(lines.length / 60))); stretch++) {
    const start = stretch === 0 ? firstCode : Math.floor(pairs.random() * (lines.length - 20));
    const document = pairs.document(own, lines.slice(start, start + 35).join('\n'));
    if (document === undefined) continue;
    if (moduleDoc) pairs.ask(document, 'm', moduleDoc);
    const asked = PLAIN_STEM.test(stem) || pairs.random() >= 0.5 ? `${folder} ${stem}` : stem;
    if (words(asked).join('').length > 4) pairs.ask(document, 'p', asked);
    pairs.keep(document);
  }
}
