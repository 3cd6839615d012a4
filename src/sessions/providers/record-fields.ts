import { isObject, type JsonObject } from '../model/log-json.ts';

/** Names of the fields of records, and of those nested objects that are described too. */
export type Fields = ReadonlyMap<string, ReadonlySet<string>>;

/** `record` lists the fields of records; every other key is one of those fields, with the fields inside it. */
export function fieldsNamed(names: Readonly<Record<string, string>>): Fields {
  return new Map(Object.entries(names).map(([place, list]) => [place, new Set(list.split(/\s+/))]));
}

/** If there are more, the names are data, not fields. */
const MAX_NEW_FIELDS = 20;

/** Fields of a record that the reader does not know, such as `assistant.newField`. */
export function newFields(fields: Fields | undefined, label: string, record: JsonObject): readonly string[] {
  if (fields === undefined) return [];
  const found: string[] = [];
  const look = (of: JsonObject, known: ReadonlySet<string> | undefined, prefix: string) => {
    if (known === undefined) return;
    for (const name in of)
      if (!known.has(name) && found.length < MAX_NEW_FIELDS) found.push(`${prefix}.${name}`);
  };
  look(record, fields.get('record'), label);
  for (const [place, known] of fields) {
    const inner = record[place];
    if (isObject(inner)) look(inner, known, `${label}.${place}`);
  }
  return found;
}
