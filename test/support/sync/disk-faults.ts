import { isDeepStrictEqual } from 'node:util';
import { type FailingCall, type FaultDesk, type FaultDeskOptions, openFaultDesk } from './fault-desk.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';

const CODES = ['EIO', 'ENOSPC', 'EACCES', 'EPERM', 'EBUSY', 'EMFILE', 'ENAMETOOLONG', 'EROFS', 'ETIMEDOUT'];
const [A, B, C] = ['model/a.yml', 'model/b.yml', 'model/sub/c.yml'];
const NEW = 'model/new/d.yml';
const confirmed: readonly GuardKind[] = [
  'manyDeletesLocal',
  'manyDeletesRemote',
  'allChangedLocally',
  'allChangedRemotely',
];

/** An operation of sync during which one call of the disk fails. */
export interface Operation {
  readonly name: string;
  /** Sets up the operation, without faults. */
  readonly before: (desk: FaultDesk) => Promise<void>;
  readonly run: (desk: FaultDesk) => Promise<unknown>;
  /** Texts that must exist in the end: on either side or in the trash. */
  readonly kept: readonly string[];
}

const push = async ({ sync }: FaultDesk): Promise<unknown> => sync.push(await sync.plan(), 'all', { confirmed });
const pull = async ({ sync }: FaultDesk): Promise<unknown> => sync.pull(await sync.plan(), 'all', { confirmed });

async function conflict(desk: FaultDesk): Promise<void> {
  desk.write(A, 'mine');
  desk.platform.files.set(A, 'theirs');
  await desk.sync.plan();
}

export const operations: readonly Operation[] = [
  {
    name: 'a push',
    before: async (desk) => {
      desk.write(A, 'mine');
      desk.write(NEW, 'new');
      desk.disk.remove(`/home/linked/${B}`);
    },
    run: push,
    // A text that the user overwrote may be lost; one that a push deletes may not.
    kept: ['mine', 'new', 'b', 'c'],
  },
  {
    name: 'a pull',
    before: async ({ platform }) => {
      platform.files.set(A, 'theirs').set(NEW, 'new');
      platform.files.delete(B);
    },
    run: pull,
    kept: ['theirs', 'new', 'a', 'b', 'c'],
  },
  {
    name: 'a quick save',
    before: async (desk) => {
      await desk.sync.plan();
      desk.write(A, 'mine');
    },
    run: async ({ sync }) => {
      sync.onSaved([A]);
      await sync.flush();
    },
    kept: ['mine', 'c'],
  },
  { name: 'Keep Mine', before: conflict, run: ({ sync }) => sync.resolve(A, 'mine'), kept: ['mine', 'theirs'] },
  { name: 'Take Theirs', before: conflict, run: ({ sync }) => sync.resolve(A, 'theirs'), kept: ['mine', 'theirs'] },
  {
    name: 'the undo of a pull',
    before: async (desk) => {
      desk.platform.files.set(A, 'theirs');
      desk.platform.files.delete(B);
      await pull(desk);
    },
    run: ({ sync }) => sync.maintenance.undoLast('pull'),
    kept: ['theirs', 'a', 'b'],
  },
  {
    name: 'the undo of a push',
    before: async (desk) => {
      desk.write(A, 'mine');
      await push(desk);
    },
    run: ({ sync }) => sync.maintenance.undoLast('push'),
    kept: ['mine'],
  },
  {
    name: 'a discard',
    before: async (desk) => {
      desk.write(A, 'mine');
      await desk.sync.plan();
    },
    run: ({ sync }) => sync.maintenance.discard(new Set([A])),
    kept: ['mine'],
  },
  {
    name: 'a verification',
    before: async (desk) => desk.write(A, 'mine'),
    run: ({ sync }) => sync.plan({ verify: true }),
    kept: ['mine', 'c'],
  },
  {
    name: 'a start',
    before: async (desk) => {
      desk.write(A, 'mine');
      await desk.sync.close();
    },
    run: async (desk) => {
      desk.restart();
      await desk.sync.plan();
    },
    kept: ['mine', 'c'],
  },
  {
    name: 'an end, and the next start',
    before: async (desk) => {
      desk.write(A, 'mine');
      await push(desk);
      desk.write(B, 'mine too');
      desk.sync.onSaved([B]);
    },
    run: async (desk) => {
      await desk.sync.close();
      desk.restart();
      await desk.sync.plan();
    },
    kept: ['mine', 'mine too', 'c'],
  },
];

/** Opens a desk whose folder is in sync, and sets up the operation. */
export async function opened({ before }: Operation, options: FaultDeskOptions = {}): Promise<FaultDesk> {
  const desk = openFaultDesk({ [A]: 'a', [B]: 'b', [C]: 'c' }, options);
  await pull(desk);
  await before(desk);
  return desk;
}

/** Runs rounds without faults, in which the user chooses the local version of each conflict. */
export async function comeToRest(desk: FaultDesk): Promise<void> {
  const { sync } = desk;
  await sync.flush();
  for (let round = 0; round < 4; round++) {
    await pull(desk);
    await push(desk);
    const { entries, guards } = await sync.plan();
    if (entries.length + guards.length === 0) return;
    for (const { kind, path } of entries) if (kind === 'conflict') await sync.resolve(path, 'mine');
  }
}

/** Resolves to the texts of both sides and of the trash. */
export async function everywhere(desk: FaultDesk): Promise<string[]> {
  const { sync, platform } = desk;
  const trashed = await Promise.all((await sync.trashed()).map(({ id }) => sync.trashedContent(id)));
  return [
    ...Object.values(desk.files()),
    ...platform.files.values(),
    ...trashed.map((each) => Buffer.from(each ?? []).toString()),
  ];
}

/** Resolves to the problems after this call failed and everything later worked. */
export async function judge(operation: Operation, failing: FailingCall): Promise<string[]> {
  const desk = await opened(operation);
  const wrong: string[] = [];
  const say = (what: string): void =>
    void wrong.push(
      `${failing.code} ${failing.when ?? 'before'} ${failing.kind} (${failing.occurrence}, ${failing.row ?? 1} in a row): ${what}`,
    );
  desk.watch(failing);
  try {
    await operation.run(desk);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Error) || /^E[A-Z]+\b/.test(message)) say(`said “${message}”`);
  }
  desk.calm();
  try {
    await comeToRest(desk);
    if (desk.sync.status.value.readOnly) say('reads only');
    const { entries, guards } = await desk.sync.plan();
    if (entries.length + guards.length > 0) say(`still wants ${JSON.stringify([entries, guards])}`);
    const there = await everywhere(desk);
    for (const text of operation.kept) if (!there.includes(text)) say(`“${text}” is nowhere`);
    const here = desk.files();
    if (!isDeepStrictEqual(new Map(Object.entries(here)), desk.platform.files))
      say(`here ${JSON.stringify(here)}, there ${JSON.stringify(Object.fromEntries(desk.platform.files))}`);
    const left = [...Object.keys(here).filter((name) => name.includes('.modelbench-')), ...desk.unfinished()];
    if (left.length > 0) say(`left behind ${left.join(', ')}`);
  } catch (error) {
    say(`works no more: ${String(error)}`);
  }
  await desk.sync.close().catch((error: unknown) => say(`does not close: ${String(error)}`));
  return wrong;
}

/** Resolves to the number of calls of each kind in an operation. */
export async function callsOf(operation: Operation): Promise<ReadonlyMap<string, number>> {
  const desk = await opened(operation);
  desk.watch();
  await operation.run(desk);
  const seen = new Map(desk.seen);
  await desk.sync.close();
  return seen;
}

/** How thoroughly each kind of call is tested: the number of its occurrences, ways to fail, and error codes. */
export interface Thoroughness {
  readonly occurrences: number;
  readonly ways: number;
  readonly codes: number;
}

/** Tests all ways and codes for the first occurrences of each call. */
export function thorough(occurrences: number): Thoroughness {
  return { occurrences, ways: ways.length, codes: CODES.length };
}

/** Yields failures for each kind of call; ways and codes rotate, so that few failures cover every kind, way and code. */
export function* failures(kinds: ReadonlyMap<string, number>, each: Thoroughness): Generator<FailingCall> {
  let turn = 0;
  for (const [kind, count] of kinds) {
    for (let occurrence = 1; occurrence <= Math.min(count, each.occurrences); occurrence++) {
      for (let number = 0; number < each.ways * each.codes; number++, turn++) {
        const code = CODES[turn % CODES.length] ?? 'EIO';
        yield { kind, occurrence, code, ...ways[turn % ways.length] };
      }
    }
  }
}

/** Before and after the effect of a call, alone and together with the next call, which often cleans up. */
const ways: readonly Pick<FailingCall, 'when' | 'row'>[] = [
  { when: 'after', row: 1 },
  { when: 'before', row: 2 },
  { when: 'before', row: 1 },
  { when: 'after', row: 2 },
];
