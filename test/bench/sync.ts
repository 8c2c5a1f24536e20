// npm run bench -- sync: every row of the table in the sync design, side by side with the tools on this machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BaseEntry } from '#sync/core/base.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { readListingText } from '#sync/core/remote/listing.ts';
import type { LocalFile } from '#sync/core/ports.ts';
import { buildPrograms } from '#support/sync/programs.ts';
import { pushSlowly } from '#support/sync/slow-link.ts';
import type { Bench, Figure } from './figures.ts';
import { median } from './figures.ts';
import type { FolderOrder, FolderReport } from './sync/folder-child.ts';
import {
  gitHashObject,
  gitStatus,
  gitStatusWork,
  hashLimit,
  hashLimitWork,
  installed,
  oneByOne,
  type Peer,
  sha1sum,
} from './sync/peers.ts';
import { measurePull } from './sync/pull.ts';
import { measurePush } from './sync/push.ts';
import { measureSave } from './sync/save.ts';
import { makeTree, type Tree } from './sync/tree.ts';
import { rawSocketPushMs } from './sync/upload-server.ts';

const ROUNDS = 5;

export const run: Bench = async ({ quick }) => {
  const home = mkdtempSync(path.join(tmpdir(), 'sync-bench-'));
  const sizes = quick ? [1000] : [1000, 10_000, 100_000];
  const figures: Figure[] = [];
  // Said as they come: whoever stops a long run has what was measured until then.
  const add = (more: readonly Figure[]): void => {
    for (const { id, value, unit, peer, ratio } of more) {
      console.error(
        `  ${id}: ${value.toFixed(1)} ${unit}${peer === undefined ? '' : `, ${ratio?.toFixed(2)} × ${peer}`}`,
      );
    }
    figures.push(...more);
  };
  const checks = new Map<number, number>();
  try {
    const { child, worker } = await buildPrograms('test/bench/sync/folder-child.ts', home);
    const limit = hashLimit(home);
    for (const size of sizes) {
      console.error(`${size} files …`);
      const tree = makeTree(size);
      try {
        const storage = mkdtempSync(path.join(home, 'storage-'));
        const order = { model: tree.model, listing: tree.listing, storage, worker, rounds: ROUNDS };
        const link = look(child, { ...order, mode: 'link' });
        const check = look(child, { ...order, mode: 'check' });
        checks.set(size, check.checkCpuMs);
        add(await scanFigures(tree, firstScans(tree, child, worker, home, link), home, limit));
        add(await checkFigures(tree, link, check));
        if (size <= 10_000) add(await pushFigures(tree, worker));
      } finally {
        rmSync(tree.root, { recursive: true, force: true });
      }
    }
    for (const size of sizes) add(await planFigures(size));
    add(growthFigures(checks));
    add(await saveFigures(worker, quick));
    add(await slowLinkFigures());
    add(await pullFigures(home, quick));
    return figures;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

function look(child: string, order: FolderOrder): FolderReport {
  return JSON.parse(execFileSync(process.execPath, [child, JSON.stringify(order)]).toString()) as FolderReport;
}

/** A first scan happens once a process: small trees are scanned by several. */
function firstScans(
  tree: Tree,
  child: string,
  worker: string,
  home: string,
  first: FolderReport,
): { readonly ms: number; readonly cpuMs: number } {
  const all = [first];
  while (tree.count <= 10_000 && all.length < ROUNDS) {
    const storage = mkdtempSync(path.join(home, 'storage-'));
    const order = { model: tree.model, listing: tree.listing, storage, worker, rounds: 0 };
    all.push(look(child, { ...order, mode: 'scan' }));
  }
  return {
    ms: median(all.map(({ firstScanMs }) => firstScanMs)),
    cpuMs: median(all.map(({ firstScanCpuMs }) => firstScanCpuMs)),
  };
}

async function times(peer: Peer, tree: Tree, rounds: number): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(await peer(tree));
  return median(all);
}

async function scanFigures(
  tree: Tree,
  { ms: ours, cpuMs }: ReturnType<typeof firstScans>,
  home: string,
  limit: Peer | undefined,
): Promise<Figure[]> {
  const compared = async (name: string, peer: Peer, rounds: number, reach?: number): Promise<Figure> => {
    const peerValue = await times(peer, tree, rounds);
    const ratio = ours / peerValue;
    const ok = reach === undefined || ratio <= reach;
    const against = { peer: name, peerValue, ratio, ...(reach === undefined ? {} : { reach }) };
    return { id: `first scan, ${tree.count} files`, value: ours, unit: 'ms', ...against, ok };
  };
  const figures: Figure[] = [];
  if (limit) figures.push(await compared('C loop', limit, ROUNDS, tree.count === 10_000 ? 2 : undefined));
  const work = hashLimitWork(home);
  if (work) figures.push(await compareWork(`first scan, ${tree.count} files: work`, cpuMs, 'C loop', work, tree));
  figures.push(await compared('git hash-object', gitHashObject, 3), await compared('sha1sum', sha1sum, 3));
  if (tree.count <= 10_000) figures.push(await compared('one file at a time', oneByOne, 1));
  for (const [name, peer] of installed()) figures.push(await compared(name, peer, 1));
  return figures;
}

/** By what all threads work: on a busy machine the clock tells how busy it is. */
async function compareWork(id: string, value: number, name: string, peer: Peer, tree: Tree): Promise<Figure> {
  const peerValue = await times(peer, tree, ROUNDS);
  return { id, value, unit: 'ms of work', peer: name, peerValue, ratio: value / peerValue, ok: true };
}

/** A window that is opened again on a folder in which nothing changed. */
async function checkFigures(tree: Tree, link: FolderReport, check: FolderReport): Promise<Figure[]> {
  const value = median(check.checkMs);
  const peerValue = await times(gitStatus, tree, ROUNDS);
  const ratio = value / peerValue;
  const large = tree.count === 100_000;
  const id = `check without a change, ${tree.count} files`;
  const at = (what: string, measured: number, unit: string, reach?: number): Figure => {
    const ok = !large || reach === undefined || measured <= reach;
    return { id: `${id}: ${what}`, value: measured, unit, ...(large && reach !== undefined ? { reach } : {}), ok };
  };
  const reached = large ? { reach: 2 } : {};
  return [
    { id, value, unit: 'ms', peer: 'git status', peerValue, ratio, ...reached, ok: !large || ratio <= 2 },
    await compareWork(`${id}: work`, check.checkCpuMs, 'git status', gitStatusWork, tree),
    at('files read', check.hashed, 'files', 0),
    at('memory of the whole process', check.rssMb, 'MB', 150),
    at('the same, highest ever', check.peakMb, 'MB'),
    at('memory beyond the same process before its first look', check.rssMb - check.idleMb, 'MB'),
    at('longest block', check.block.cpuMs, 'ms of work', 50),
    at('the same by the clock', check.block.wallMs, 'ms'),
    at('from the start of the engine', check.firstPlanMs, 'ms'),
    {
      ...at('longest block while linking', link.block.cpuMs, 'ms', 50),
      id: `first link, ${tree.count} files: longest block`,
    },
    { ...at('memory while linking', link.peakMb, 'MB'), id: `first link, ${tree.count} files: memory, highest ever` },
    { ...at('linking', link.firstPlanMs, 'ms'), id: `first link, ${tree.count} files: compared after the scan` },
  ];
}

/** One thread's work: what the clock would say of it on a machine that does nothing else. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Texts and tables of all entries have to be made, as `JSON.parse` does: 100 ms where that takes 40. */
const PLAN_RATIO = 2.5;

async function planFigures(count: number): Promise<Figure[]> {
  const base = new Map<string, BaseEntry>();
  const files = new Map<string, LocalFile>();
  const listed: Record<string, { hash: string }> = {};
  for (let at = 0; at < count; at++) {
    const hash = at.toString(16).padStart(40, '0');
    const file = `model/folder_${Math.floor(at / 400)}/cube_${at}.yml`;
    base.set(file, { path: file, hash, size: 4096 });
    files.set(file, { hash, size: 4096 });
    listed[file] = { hash };
  }
  const text = JSON.stringify({ files: listed });
  const local = { files, frozen: new Map(), complete: true, root: '1:1' };
  const ours: number[] = [];
  const parse: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = threadMs();
    JSON.parse(text);
    parse.push(threadMs() - from);
    const started = threadMs();
    const remote = await readListingText(text, 'model');
    if (!remote) throw new Error('the listing was not read');
    makePlan({
      target: '[]',
      generation: 1,
      time: 0,
      base,
      baseRoot: '1:1',
      local,
      remote,
      dirty: new Set(),
      ignores: () => false,
      unclean: false,
    });
    ours.push(threadMs() - started);
  }
  const [value, peerValue] = [median(ours), median(parse)];
  const large = count === 100_000;
  const ratio = value / peerValue;
  const against = { peer: 'JSON.parse alone', peerValue, ratio, ...(large ? { reach: PLAN_RATIO } : {}) };
  const ok = !large || ratio <= PLAN_RATIO;
  return [{ id: `plan with parsing, ${count} entries`, value, unit: 'ms of work', ...against, ok }];
}

/** A push as the extension sends it: a few files in a transaction, many in file writes. */
async function pushFigures(tree: Tree, worker: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const raw = await rawSocketPushMs(tree.count, 4096);
  const full = tree.count === 10_000;
  for (const [delayMs, reach] of [
    [0, 1500],
    [40, 2000],
  ] as const) {
    // A request a file: what that costs is seen at a thousand of them.
    for (const route of full ? (['direct'] as const) : (['transaction', 'direct'] as const)) {
      const { ms, cpuMs, requests } = await measurePush(tree.model, worker, route, delayMs);
      const id = `push ${tree.count} files, server takes ${delayMs} ms, ${route === 'transaction' ? 'upload transaction' : 'file writes'}`;
      const against = { peer: 'raw sockets', peerValue: raw, ratio: ms / raw, ...(full ? { reach } : {}) };
      figures.push({
        id,
        value: ms,
        unit: `ms in ${requests} requests, ${Math.round(cpuMs)} ms of work`,
        ...against,
        ok: !full || ms <= reach,
      });
    }
  }
  return figures;
}

/**
 * The file and the note of what is sent are on the disk for good before the request: how long that takes is the disk's
 * affair, which the peer tells. What is left is the engine's.
 */
async function saveFigures(worker: string, quick: boolean): Promise<Figure[]> {
  const delayMs = 40;
  const { ms, flushMs } = await measureSave(worker, delayMs, quick ? 3 : 11);
  const beyond = ms - delayMs;
  const value = beyond - flushMs;
  return [
    {
      id: 'push one saved file: beyond the one round trip',
      value: beyond,
      unit: 'ms',
      ...{ peer: 'its flushes alone', peerValue: flushMs, ratio: beyond / flushMs, ok: true },
    },
    { id: 'push one saved file: beyond round trip and flushes', value, unit: 'ms', reach: 20, ok: value <= 20 },
  ];
}

/** What a push costs where each request takes 200 ms, counted by a clock that only requests move. */
async function slowLinkFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const push = (files: number): ReturnType<typeof pushSlowly> =>
    pushSlowly({ files, roundTrip: 200, areChanged: true, honours: true });
  const many = await push(501);
  for (const files of [100, 400]) {
    const { ms, requests } = await push(files);
    figures.push({
      id: `push ${files} files, each request takes 200 ms`,
      value: ms,
      unit: `ms in ${requests.length} requests`,
      ...{ peer: '501 files', peerValue: many.ms, ratio: ms / many.ms, reach: 4000, ok: ms <= Math.min(4000, many.ms) },
    });
  }
  return figures;
}

/**
 * The C library of Linux keeps freed memory in an arena for each thread. Those of V8's compiler hold more than ten
 * megabytes that nothing uses.
 */
const ONE_ARENA = { MALLOC_ARENA_MAX: '1' };

/** A first pull: the branch crosses once, and never lies in memory as a whole. */
async function pullFigures(home: string, quick: boolean): Promise<Figure[]> {
  const { child, worker } = await buildPrograms('test/bench/sync/pull-child.ts', mkdtempSync(path.join(home, 'pull-')));
  const branches: readonly (readonly [count: number, bytes: number])[] = quick
    ? [[500, 4096]]
    : [
        [10_000, 4096],
        [1000, 80 * 1024],
      ];
  const figures: Figure[] = [];
  for (const [count, bytes] of branches) {
    const { ms, cpuMs, idleMb, peakMb, files, reads, sentMb, failed } = await measurePull(child, worker, count, bytes);
    const lean = await measurePull(child, worker, count, bytes, ONE_ARENA);
    if (files !== count) throw new Error(`${files} of ${count} files came: ${failed.join(' ')}`);
    const id = `pull ${count} files, ${Math.round((count * bytes) / 1e6)} MB`;
    const beside = `${Math.round(sentMb)} MB crossed, ${Math.round(idleMb)} MB of memory before`;
    figures.push(
      { id, value: ms, unit: `ms, ${Math.round(cpuMs)} ms of work`, ok: true },
      { id: `${id}: reads of the branch`, value: reads, unit: `reads, ${beside}`, reach: 1, ok: reads === 1 },
      { id: `${id}: memory of the whole process`, value: peakMb, unit: 'MB', reach: 150, ok: quick || peakMb <= 150 },
      { id: `${id}: the same with one arena of the C library`, value: lean.peakMb, unit: 'MB', ok: true },
    );
  }
  return figures;
}

function growthFigures(checks: ReadonlyMap<number, number>): Figure[] {
  const [small, large] = [checks.get(10_000), checks.get(100_000)];
  if (small === undefined || large === undefined) return [];
  const value = large / small;
  return [{ id: 'ten times the files, check without a change', value, unit: '× the work', reach: 12, ok: value <= 12 }];
}
