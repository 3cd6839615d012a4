const WORDS =
  'index main util helper test config data cache model view client server node core lib api parse render build asset chunk page post user image thumb report vendor locale schema types'.split(
    ' ',
  );
const EXTENSIONS = 'ts js json md txt png jpg log map c h o py pyc so html css svg yml'.split(' ');

/** An ncdu export with this many nodes: one folder per twelve files, up to 22 deep, and one flat folder of 50,000. */
export function syntheticExport(nodes) {
  let state = 12_345;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const folders = Math.round(nodes / 12);
  const children = Array.from({ length: folders }, () => []);
  const depths = [0];
  for (let i = 1; i < folders; i++) {
    let parent = Math.floor(random() * i);
    while (depths[parent] >= 22) parent = Math.floor(random() * i);
    depths[i] = depths[parent] + 1;
    children[parent].push(i);
  }
  let left = nodes - folders;
  const perFolder = (left - 50_000) / folders;
  const filesOf = (folder) => {
    const wanted = folder === 5 ? 50_000 : Math.round(2 * random() * perFolder);
    const count = folder === folders - 1 ? left : Math.min(left, wanted);
    left -= count;
    return Array.from({ length: count }, (_, i) => {
      const asize = random() < 0.2 ? Math.floor(random() ** 3 * 8e6) : Math.floor(random() * 9_000);
      return {
        name: `${pick(WORDS)}_${i.toString(36)}${Math.floor(random() * 1e6).toString(36)}.${pick(EXTENSIONS)}`,
        asize,
        dsize: Math.ceil(asize / 4096) * 4096,
        mtime: 1_500_000_000 + Math.floor(random() * 260_000_000),
        uid: random() < 0.2 ? 0 : 1000,
      };
    });
  };
  const folder = (number) => [
    { name: number === 0 ? '/million' : `${pick(WORDS)}-${number.toString(36)}`, asize: 4096, dsize: 4096 },
    ...filesOf(number),
    ...children[number].map(folder),
  ];
  const about = { progname: 'bench', progver: '1', timestamp: 1_790_000_000 };
  return JSON.stringify([1, 2, about, folder(0)]);
}
