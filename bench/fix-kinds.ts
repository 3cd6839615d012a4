/**
 * How sessions of entireio/cli fixed an error, labelled by hand: the session and call that failed, and the kind of
 * fix. Two fixes are of the same kind if one shows a person how to make the other.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'error is checked': [
    ...['379ab089:237', '1284c080:1070', '030e1e67:302', '062a8bdd:353', 'a9a05d4:15', '15f99783:564'],
    ...['0276a600:323', '6113e919:462', '6113e919:732'],
  ],
  'check is silenced': [
    ...['1ed0d37a:484', '4fec7ea0:256', 'dc577197:166', '44df7d08:368', '7f78a542:544', '0a93878f:113'],
    ...['4ded0de6:164', '15f99783:350', '0bdbfa06:96', 'b00b80af:50', 'efea9d52:143', '0bb9a2d9:277'],
    'deeac353:450',
  ],
  'constant for the text': [
    ...['0240bd7a:154', '9e2434f3:1853', 'af74d9e0:451', '130d7b7e:64', 'b25a8b6e:137'],
  ],
  'import removed': [
    ...['da15b15f:99', 'a032db5a:215', '08940314:1043', '375d5d79:530', 'eb4bcc15:438', 'eb4bcc15:469'],
  ],
  'import added': ['a6b0113:93', '0bb9a2d9:295'],
  'duplicate removed': ['9d7a9d52:13', '0d28c0d4:402'],
  'other call': ['34b1e2a4:75'],
  'folder of the repository': ['21a2e002:497'],
  'function copied': ['aa0fb1b:25'],
  'package split': ['08940314:862', '08940314:880', '08940314:936'],
  'branch name in the test': ['419f42f0:303'],
  'transcript of the test': ['15f99783:419'],
  'conflict resolved': ['0d28c0d4:535'],
  'not in the log': ['1284c080:739'],
};

/** The kind of a fix, by session and call; undefined if nobody labelled it. */
export const FIX_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, places]) => places.map((place) => [place, kind] as const)),
);
