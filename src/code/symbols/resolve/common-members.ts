import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';

/* Members that many types outside the tree have: a use of one says nothing about the type it belongs to. */

const OTHERS =
  'add append apply as_ref as_str begin call clear clone close collect compare contains copy count create debug default delete each empty end equals err error exit expect extend find first flush format from get has hash id index info init insert into is_empty items iter join key keys kind last len length list load lock log main map match message name new next ok open parent path pop print push put read remove replace reset result run save send set size sort split start state stop string text title to_string trace to_vec trim type unlock unwrap update url value values warn with write';

const PROTOTYPES: readonly object[] = [
  Object.prototype,
  Function.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Promise.prototype,
  Map.prototype,
  Set.prototype,
  RegExp.prototype,
  Date.prototype,
  Error.prototype,
  Buffer.prototype,
  URL.prototype,
  Headers.prototype,
  Request.prototype,
  Response.prototype,
  AbortSignal.prototype,
  EventEmitter.prototype,
  Readable.prototype,
  Writable.prototype,
  JSON,
  Math,
  Promise,
  Object,
  Array,
  process,
];

const COMMON: ReadonlySet<string> = new Set([...OTHERS.split(' '), ...PROTOTYPES.flatMap(namesOf)]);

/** Whether types of other programs have a member with this name. */
export function isCommonMember(name: string): boolean {
  return COMMON.has(name);
}

function namesOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype);
}
