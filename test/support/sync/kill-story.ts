import type { FolderSync } from '#sync/core/folder-sync.ts';
import { direction, type GuardKind } from '#sync/core/planning/plan.ts';

/** A file: whether it existed at the last sync, and its change on each side since; null: deleted, or absent. */
export interface ToldFile {
  readonly name: string;
  readonly base: boolean;
  readonly local: 'same' | 'edit' | null;
  readonly remote: 'same' | 'edit' | null;
}

/** The state that a killed process meets: every way in which a file can differ, all at once. */
export const killStory: readonly ToldFile[] = [
  { name: 'same.yml', base: true, local: 'same', remote: 'same' },
  { name: 'edited-here.yml', base: true, local: 'edit', remote: 'same' },
  { name: 'edited-here-too.yml', base: true, local: 'edit', remote: 'same' },
  { name: 'edited-there.yml', base: true, local: 'same', remote: 'edit' },
  { name: 'deep/er/edited-there.yml', base: true, local: 'same', remote: 'edit' },
  { name: 'deleted-here.yml', base: true, local: null, remote: 'same' },
  { name: 'deleted-there.yml', base: true, local: 'same', remote: null },
  { name: 'edit-beats-delete.yml', base: true, local: 'edit', remote: null },
  { name: 'delete-loses.yml', base: true, local: null, remote: 'edit' },
  { name: 'both-mine.yml', base: true, local: 'edit', remote: 'edit' },
  { name: 'both-theirs.yml', base: true, local: 'edit', remote: 'edit' },
  { name: 'new-here.yml', base: false, local: 'edit', remote: null },
  { name: 'new/there.yml', base: false, local: null, remote: 'edit' },
];

/** Returns the text of a version. */
export const toldText = (name: string, version: string): string => `# ${name}\nversion: ${version}\n`;

/** A user who has confirmed what these guards show. */
const confirmed: readonly GuardKind[] = ['rootChanged', 'manyDeletesLocal', 'manyDeletesRemote'];

/** The work during which the process is killed. */
export async function pullPushAndChoose(sync: FolderSync): Promise<void> {
  await sync.pull(await sync.plan(), 'all', { confirmed });
  await sync.push(await sync.plan(), 'all', { confirmed });
  for (const { path } of (await sync.plan()).entries.filter(({ kind }) => kind === 'conflict'))
    await choose(sync, path);
}

/** Runs at most three rounds of pull, push and choices; resolves to what the engine still wants then. */
export async function comeToAgree(sync: FolderSync): Promise<readonly string[]> {
  for (let turn = 0; turn < 3 && !(await agreeOnce(sync)); turn++);
  const { entries } = await sync.plan();
  return entries.map(({ kind, path }) => `not settled: ${kind} ${path}`);
}

/** Runs one round; resolves to whether there was nothing to do. */
async function agreeOnce(sync: FolderSync): Promise<boolean> {
  const plan = await sync.plan();
  const ways = new Set(plan.entries.map(direction));
  if (ways.has('pull')) await sync.pull(plan, 'all', { confirmed });
  if (ways.has('push')) await sync.push(await sync.plan(), 'all', { confirmed });
  for (const { path } of plan.entries.filter(({ kind }) => kind === 'conflict')) await choose(sync, path);
  return plan.entries.length === 0;
}

async function choose(sync: FolderSync, path: string): Promise<void> {
  await sync.resolve(path, path.includes('theirs') ? 'theirs' : 'mine');
}

/** Returns versions that were not dropped and no longer exist: both edits must survive, except the one that the choice drops. */
export function lostVersions(present: ReadonlySet<string>, round: number | string, when: string): readonly string[] {
  return killStory.flatMap(({ name, local, remote }) => {
    const kept: string[] = [];
    if (local === 'edit') kept.push(toldText(name, `local ${round}`));
    if (remote === 'edit' && name !== 'both-mine.yml') kept.push(toldText(name, `remote ${round}`));
    return kept
      .filter((version) => !present.has(version))
      .map((version) => `lost ${when}: ${version.replaceAll('\n', ' ')}`);
  });
}
