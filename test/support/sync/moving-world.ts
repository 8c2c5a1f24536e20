import { isDeepStrictEqual } from 'node:util';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { comeToRest, everywhere, opened, type Operation } from './disk-faults.ts';
import type { FaultDesk } from './fault-desk.ts';
import { FOLDER, STORAGE } from './simulated-ports.ts';

/** A change of the linked folder by the user or another program while sync works on it. */
export interface Happening {
  readonly name: string;
  readonly happen: (desk: FaultDesk) => void;
  /** The user's repair afterwards. */
  readonly after: (desk: FaultDesk) => void;
  /** Texts that the change added, which must exist in the end. */
  readonly kept: readonly string[];
  /** Returns the problem while the change lasts, if any. */
  readonly wrong?: (desk: FaultDesk) => string | undefined;
}

const AWAY = '/home/away';
const nothing = (): void => undefined;
const A = `${FOLDER}/model/a.yml`;

/** Moves the folder back, and moves any replacement out of the way. */
function bringBack({ disk }: FaultDesk): void {
  if (!disk.has(AWAY)) return;
  if (disk.has(FOLDER)) disk.rename(FOLDER, '/home/other');
  disk.rename(AWAY, FOLDER);
}

const OUTSIDE = '/home/outside';
const SECRET = 'not of this folder';

/** Checks that files outside stay unchanged and are not uploaded. */
const untouched =
  (expected: Readonly<Record<string, string>>) =>
  ({ disk, platform }: FaultDesk): string | undefined => {
    const there = Object.fromEntries([...disk.files(OUTSIDE)].map(([name, text]) => [name, String(text)]));
    if (!isDeepStrictEqual(there, expected)) return `outside there is ${JSON.stringify(there)}`;
    return [...platform.files.values()].includes(SECRET) ? 'the platform has a file from outside' : undefined;
  };

/** Removes a link, and restores what it replaced. */
function unlink({ disk }: FaultDesk, file: string): void {
  disk.remove(file);
  if (disk.has('/home/kept')) disk.rename('/home/kept', file);
}

/** Changes that could lead sync out of the folder. */
export const links: readonly Happening[] = [
  {
    name: 'a file becomes a link to one outside',
    happen: ({ disk }) => {
      disk.write(`${OUTSIDE}/a.yml`, Buffer.from(SECRET));
      if (disk.has(A)) disk.rename(A, '/home/kept');
      disk.symlink(`${OUTSIDE}/a.yml`, A);
    },
    after: (desk) => unlink(desk, A),
    kept: [],
    wrong: untouched({ [`${OUTSIDE}/a.yml`]: SECRET }),
  },
  {
    name: 'a folder becomes a link to one outside',
    happen: ({ disk }) => {
      for (const name of ['a', 'b']) disk.write(`${OUTSIDE}/${name}.yml`, Buffer.from(SECRET));
      disk.rename(`${FOLDER}/model`, '/home/kept');
      disk.symlink(OUTSIDE, `${FOLDER}/model`);
    },
    after: (desk) => unlink(desk, `${FOLDER}/model`),
    kept: [],
    wrong: untouched({ [`${OUTSIDE}/a.yml`]: SECRET, [`${OUTSIDE}/b.yml`]: SECRET }),
  },
  {
    name: 'a folder becomes a link to one with the same files',
    happen: ({ disk }) => {
      // Files that are known and equal here may be replaced and deleted; there they may not.
      for (const [name, text] of disk.files(`${FOLDER}/model`))
        if (/\/[ab]\.yml$/.test(name)) disk.write(`${OUTSIDE}/${name.slice(`${FOLDER}/model/`.length)}`, text);
      disk.write(`${OUTSIDE}/c.yml`, Buffer.from(SECRET));
      for (const [name, text] of disk.files(OUTSIDE)) disk.write(name.replace(OUTSIDE, '/home/twin'), text);
      disk.rename(`${FOLDER}/model`, '/home/kept');
      disk.symlink(OUTSIDE, `${FOLDER}/model`);
    },
    after: (desk) => unlink(desk, `${FOLDER}/model`),
    kept: [],
    wrong: (desk) => {
      const twin = [...desk.disk.files('/home/twin')];
      return untouched(
        Object.fromEntries(twin.map(([name, text]) => [name.replace('/home/twin', OUTSIDE), String(text)])),
      )(desk);
    },
  },
];

export const happenings: readonly Happening[] = [
  ...links,
  { name: 'the folder is moved away', happen: ({ disk }) => disk.rename(FOLDER, AWAY), after: bringBack, kept: [] },
  {
    name: 'the folder is replaced by an empty one',
    happen: ({ disk }) => {
      disk.rename(FOLDER, AWAY);
      disk.makeFolder(FOLDER);
    },
    after: bringBack,
    kept: [],
  },
  {
    name: 'the folder is replaced by one with other files of the same names',
    happen: (desk) => {
      desk.disk.rename(FOLDER, AWAY);
      desk.write('model/a.yml', 'of another folder');
    },
    after: bringBack,
    kept: ['of another folder'],
  },
  {
    name: 'a folder in it is renamed',
    happen: ({ disk }) => disk.rename(`${FOLDER}/model/sub`, `${FOLDER}/model/renamed`),
    after: nothing,
    kept: ['c'],
  },
  {
    name: 'another branch is checked out',
    happen: (desk) => {
      desk.write('model/a.yml', 'of the branch');
      desk.write('model/only-there.yml', 'new of the branch');
    },
    after: nothing,
    kept: ['of the branch', 'new of the branch'],
  },
  {
    name: 'a file becomes a folder',
    happen: (desk) => {
      if (desk.disk.has(A)) desk.disk.rename(A, '/home/a.yml');
      desk.write('model/a.yml/inside.yml', 'inside');
    },
    after: nothing,
    kept: ['inside'],
  },
  {
    name: 'an editor saves by renaming',
    happen: ({ disk }) => {
      disk.write(`${FOLDER}/model/.a.yml.swp`, Buffer.from('saved'));
      disk.rename(`${FOLDER}/model/.a.yml.swp`, A);
    },
    after: nothing,
    kept: ['saved'],
  },
  { name: 'a file is emptied', happen: (desk) => desk.write('model/a.yml', ''), after: nothing, kept: [''] },
  { name: 'the clock goes back by a day', happen: ({ disk }) => disk.pass(-86_400_000), after: nothing, kept: [] },
];

/** Resolves to the number of disk calls in an operation. */
export async function callCount(operation: Operation): Promise<number> {
  const { desk, begin, count } = await deskWith(operation, () => undefined);
  begin();
  await operation.run(desk);
  const calls = count();
  await desk.sync.close();
  return calls;
}

/** Resolves to the problems after something happened right before this call of the disk. */
export async function judgeMove(operation: Operation, happening: Happening, at: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  const say = (what: string): void =>
    void wrong.push(`${operation.name}, ${happening.name} before call ${at}: ${what}`);
  const gone = new Set<string>();
  let hasHappened = false;
  const { desk, begin, end } = await deskWith(operation, (own, number) => {
    if (number !== at) return;
    hasHappened = true;
    const before = textsOnDisk(own);
    happening.happen(own);
    // The engine is not responsible for a text that the change itself overwrote.
    const after = textsOnDisk(own);
    for (const text of before) if (!after.has(text)) gone.add(text);
  });
  const before = new Set(await everywhere(desk));
  begin();
  try {
    await operation.run(desk);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Error) || /^E[A-Z]+\b/.test(message)) say(`said “${message}”`);
  }
  end();
  if (hasHappened) settleAfter(desk, happening, say);
  try {
    await comeToRest(desk);
    const { entries, guards } = await desk.sync.plan();
    if (entries.length + guards.length > 0) say(`still wants ${JSON.stringify([entries, guards])}`);
    const there = new Set([...(await everywhere(desk)), ...textsOnDisk(desk)]);
    const kept = [...operation.kept.filter((text) => before.has(text)), ...(hasHappened ? happening.kept : [])];
    for (const text of kept) if (!there.has(text) && !gone.has(text)) say(`“${text}” is nowhere`);
    const here = desk.files();
    if (!isDeepStrictEqual(new Map(Object.entries(here)), desk.platform.files))
      say(`here ${JSON.stringify(here)}, there ${JSON.stringify(Object.fromEntries(desk.platform.files))}`);
  } catch (error) {
    say(`works no more: ${String(error)}`);
  }
  await desk.sync.close().catch((error: unknown) => say(`does not close: ${String(error)}`));
  return wrong;
}

function settleAfter(desk: FaultDesk, { wrong, after }: Happening, say: (what: string) => void): void {
  const found = wrong?.(desk);
  if (found !== undefined) say(found);
  after(desk);
}

/** Returns the texts of the user's files, wherever their folder is now. */
function textsOnDisk({ disk }: FaultDesk): ReadonlySet<string> {
  const own = [...disk.files('/home')].filter(([name]) => !name.startsWith(`${STORAGE}/`));
  return new Set(own.map(([, bytes]) => String(bytes)));
}

/** Opens a desk that counts calls of the disk between `begin` and `end`. */
async function deskWith(
  operation: Operation,
  before: (desk: FaultDesk, number: number) => void,
): Promise<{
  readonly desk: FaultDesk;
  readonly begin: () => void;
  readonly end: () => void;
  readonly count: () => number;
}> {
  let count = 0;
  let own: FaultDesk | undefined;
  const counted = (calls: DiskCalls): DiskCalls =>
    new Proxy(calls, {
      get: (target, key: keyof DiskCalls) => {
        const call = target[key] as (...args: readonly unknown[]) => unknown;
        if (key === 'now') return call;
        return (...args: readonly unknown[]) => {
          count += 1;
          if (own) before(own, count);
          return call(...args);
        };
      },
    });
  const desk = await opened(operation, { calls: counted });
  const begin = (): void => {
    count = 0;
    own = desk;
  };
  const end = (): void => {
    own = undefined;
  };
  return { desk, begin, end, count: () => count };
}
