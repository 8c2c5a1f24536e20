import { mergeKey } from '#features/folders/begun-keys.ts';
import { BegunRecords, takingUp } from '#features/folders/begun-records.ts';
import { MemoryState } from '#support/memory-state.ts';
import { causeText } from '#sync/core/undo/trash-cause.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';
import { Disk } from '#sync/disk/disk.ts';
import { TrashStore } from '#sync/disk/trash-store.ts';
import { SimulatedDisk } from '../simulated-disk.ts';
import { STORAGE } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B, honoured, inConflict, pull, push, trashHolds } from './rule-desk.ts';

const TRASH = 'sync/disk/trash-store.ts';
const RESOLVE = 'sync/core/transfer/resolve.ts';
const UNDO = 'sync/core/undo/undo.ts';
const IGNORE = 'sync/core/selection/ignore.ts';
const DAY = 24 * 60 * 60 * 1000;

function trashOn(disk: SimulatedDisk): TrashStore {
  return new TrashStore(new Disk(disk.calls((_call, _isWrite, effect) => effect())), `${STORAGE}/trash`);
}

export const keepingRules: readonly Rule[] = [
  rule(
    'trash-pull',
    'replaces a local version that the user gave up, without keeping it',
    [[TRASH, 'await this.#disk.rename(own, kept);', 'await this.#disk.calls.remove(own);']],
    async () => {
      const desk = await agreed();
      await inConflict(desk);
      await desk.sync.resolve(A, 'theirs');
      return verdict(await trashHolds(desk.sync, 'mine'), 'the version that was given up is nowhere');
    },
  ),
  rule(
    'trash-newest',
    'drops the last version of a path because it is old',
    [[TRASH, 'if (!last && (', 'if ((']],
    async () => {
      const trash = trashOn(new SimulatedDisk({ name: 'a disk' }));
      await trash.put(A, Buffer.from('a'), { cause: 'pull', deleted: true });
      await trash.prune(Date.now() + 90 * DAY);
      return verdict((await trash.list()).length === 1, 'the only version of a path was dropped');
    },
  ),
  rule(
    'trash-age',
    'drops versions that are younger than 30 days',
    [[TRASH, 'const KEEP_MS = 30 * 24', 'const KEEP_MS = 24']],
    async () => {
      const trash = trashOn(new SimulatedDisk({ name: 'a disk' }));
      for (const text of ['a', 'b']) await trash.put(A, Buffer.from(text), { cause: 'pull', deleted: false });
      await trash.prune(Date.now() + 20 * DAY);
      return verdict((await trash.list()).length === 2, 'a version of three weeks ago was dropped');
    },
  ),
  rule(
    'conflict-seen',
    'settles a conflict with versions that the user has not seen',
    [[RESOLVE, 'if (seen && (seen.local !== hashOf(local) || seen.remote !== remote?.hash)) {', 'if (false) {']],
    async () => {
      const desk = await agreed();
      await inConflict(desk);
      desk.platform.files.set(A, 'theirs again');
      const { status } = await desk.sync.resolve(A, 'mine');
      return verdict(status === 'refused', 'a version that the user never saw was overwritten');
    },
  ),
  rule(
    'conflict-seen-other',
    'resolves a file that was no conflict with versions that the user has not seen',
    [[RESOLVE, 'if (seen && (seen.local !== hashOf(local) || seen.remote !== remote?.hash)) {', 'if (false) {']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const { status } = await desk.sync.resolve(A, { merged: new TextEncoder().encode('merged') });
      return verdict(status === 'refused', 'a version that the user never saw was overwritten');
    },
  ),
  rule(
    'conflict-seen-folder',
    'resolves a file and a folder of one name with files that the user has not seen',
    [['sync/core/transfer/resolve-folder.ts', 'return isEqual(versionsOf(now), versionsOf(shown));', 'return true;']],
    async () => {
      const desk = await agreed();
      desk.write('model/thing', 'mine');
      desk.platform.files.set('model/thing/a.yml', 'theirs');
      await desk.sync.plan();
      desk.platform.files.set('model/thing/b.yml', 'theirs, and late');
      const { status } = await desk.sync.resolve('model/thing', 'mine');
      const isThere = desk.platform.files.has('model/thing/b.yml');
      return verdict(status === 'refused' && isThere, 'a file that the user never saw was deleted');
    },
  ),
  rule(
    'trash-merge',
    'calls the unfinished text of a merge the version from before it',
    [
      [
        'sync/core/undo/trash-cause.ts',
        "unfinishedMerge: 'the unfinished text of a merge, replaced by your version',",
        "unfinishedMerge: 'replaced when a merge began',",
      ],
    ],
    async () => {
      const desk = await agreed();
      await desk.sync.keepCopy(A, 'merge');
      desk.write(A, 'half merged');
      await desk.sync.keepCopy(A, 'unfinishedMerge');
      const reasons = (await desk.sync.trashed()).map((item) => causeText(item));
      return verdict(new Set(reasons).size === 2, `the trash says of both versions: ${reasons.join('; ')}`);
    },
  ),
  rule(
    'conflict-condition',
    'uploads the chosen version over whatever is there',
    [
      [RESOLVE, 'size, expectedRemote: remote?.hash };', 'size, expectedRemote: undefined };'],
      [
        'sync/core/remote/remote-write.ts',
        "if (expected.every((hash) => hash === undefined)) return { 'If-None-Match': '*' };",
        'if (expected.every((hash) => hash === undefined)) return {};',
      ],
    ],
    async () => {
      const desk = await honoured(B);
      await inConflict(desk);
      desk.platform.beforeWrite = () => desk.platform.files.set(A, 'theirs again');
      await desk.sync.resolve(A, 'mine');
      return verdict(desk.platform.files.get(A) === 'theirs again', 'a version that came meanwhile was overwritten');
    },
  ),
  rule(
    'conflict-rest',
    'holds everything up for one conflict',
    [
      [
        'sync/core/create-folder-sync.ts',
        'const run = new SyncRun(entries.length, options);',
        "if (plan.entries.some(({ kind }) => kind === 'conflict')) return refused('x');\n      const run = new SyncRun(entries.length, options);",
      ],
    ],
    async () => {
      const desk = await agreed();
      await inConflict(desk);
      desk.write(B, 'mine');
      await push(desk.sync);
      return verdict(desk.platform.files.get(B) === 'mine', 'one conflict holds up another file');
    },
  ),
  rule(
    'history-kept',
    'notes nothing of a run',
    [
      [
        'sync/core/undo/folder-maintenance.ts',
        'await ports.history.append({',
        'await (async (_: unknown) => undefined)({',
      ],
    ],
    async () => {
      const desk = await agreed();
      return verdict((await desk.sync.maintenance.history()).length > 0, 'a pull is not in the history');
    },
  ),
  rule(
    'undo-push',
    'undoes a push here too',
    [
      [
        UNDO,
        "return earlier.action === 'pull' ? undoPull(context, earlier, options) : undoPush(context, earlier, options);",
        'return undoPush(context, earlier, options).then((outcome) => undoPull(context, { ...earlier, applied: earlier.applied.map((entry) => entry.kind === "upload" ? { kind: "download", path: entry.path, reason: "changed", hash: entry.hash, size: entry.size, expectedLocal: entry.expectedRemote } as const : entry) }, options).then(() => outcome));',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.sync);
      await desk.sync.plan();
      await desk.sync.maintenance.undoLast('push');
      const [here, there] = [desk.files()[A], desk.platform.files.get(A)];
      return verdict(here === 'mine' && there === 'a', `after the undo: ${here} here, ${there} there`);
    },
  ),
  rule(
    'undo-push-condition',
    'undoes a push over what a colleague made of it',
    [
      [UNDO, "if (moved.length > 0) return refusedFor(moved, 'changed on the platform since');", ''],
      ['sync/core/transfer/effects.ts', "return 'changed';\n}", "return 'pristine';\n}"],
      [
        'sync/core/remote/remote-write.ts',
        "return { 'If-Match': expected.map((hash) => `\"${hash ?? '-'}\"`).join(', ') };",
        'return {};',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.sync);
      desk.platform.files.set(A, 'theirs');
      await desk.sync.maintenance.undoLast('push');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a colleague’s version was undone with the push');
    },
  ),
  rule(
    'undo-pull',
    'undoes a pull over what the user made of it',
    [
      [UNDO, "if (moved.length > 0) return refusedFor(moved, 'changed here since');", ''],
      [
        UNDO,
        'return replaceHere(ports, staged, entry.expectedLocal, run.cause);',
        'return replaceHere(ports, staged, await ports.files.stateOf(entry.path).then((now) => now.kind === "file" ? now.hash : undefined), run.cause);',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      await pull(desk.sync);
      desk.write(A, 'mine');
      await desk.sync.maintenance.undoLast('pull');
      return verdict(desk.files()[A] === 'mine', 'an edit after a pull was undone with it');
    },
  ),
  rule(
    'undo-whole',
    'undoes a part of a run where the rest has changed',
    [[UNDO, "if (moved.length > 0) return refusedFor(moved, 'changed here since');", '']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs').set(B, 'theirs');
      await pull(desk.sync);
      desk.write(A, 'mine');
      await desk.sync.maintenance.undoLast('pull');
      return verdict(desk.files()[B] === 'theirs', 'a part of the run was undone');
    },
  ),
  rule(
    'discard',
    'discards what was changed after the question',
    [
      [
        'sync/core/undo/discard.ts',
        "size: undefined, expectedLocal: hash };\n    }\n    case 'deleteRemote'",
        "size: undefined, expectedLocal: undefined };\n    }\n    case 'deleteRemote'",
      ],
      [
        'sync/disk/file-store.ts',
        "if (now.kind !== 'absent') return { kind: 'changed', now };",
        "if (now.kind === 'file') await this.remove(staged.path, now.hash, 'discard');",
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await desk.sync.plan();
      desk.write(A, 'mine again');
      await desk.sync.maintenance.discard(new Set([A]));
      return verdict(desk.files()[A] === 'mine again', 'an edit that came after the question was discarded');
    },
  ),
  rule(
    'ignore-file',
    'reads no ignore file',
    [
      [
        'sync/core/planning/compare-sides.ts',
        "return useGitignore ? ['.modelbenchignore', '.gitignore'] : ['.modelbenchignore'];",
        'return [];',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write('model/.modelbenchignore', '/secret.yml\n');
      desk.write('model/secret.yml', 'secret');
      await push(desk.sync);
      return verdict(!desk.platform.files.has('model/secret.yml'), 'a file that is to be left out was sent');
    },
  ),
  rule(
    'ignore-save',
    'sends a saved file that is to be left out',
    [['sync/core/saves/save-sync.ts', 'if (rules.ignores(path, false)) continue;', '']],
    async () => {
      const desk = await agreed();
      desk.write('model/.modelbenchignore', '/a.yml\n');
      desk.write(A, 'secret');
      desk.sync.onSaved([A]);
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'a saved file that is to be left out was sent');
    },
  ),
  rule(
    'ignore-deeper',
    'lets the rules of an upper folder win',
    [
      [
        IGNORE,
        "decideByDepth(levels['.modelbenchignore'], path, isFolder) ??",
        "decideBy(levels['.modelbenchignore'].get('') ?? own, path, isFolder) ?? decideByDepth(levels['.modelbenchignore'], path, isFolder) ??",
      ],
    ],
    () => {
      const name = '.modelbenchignore';
      const rules = compileIgnore(
        [],
        [
          { folder: '', name, text: '*.yml' },
          { folder: 'model', name, text: '!a.yml' },
        ],
      );
      return verdict(!rules.ignores(A, false), 'a rule of a deeper folder does not count');
    },
  ),
  rule(
    'ignore-folder',
    'takes a file out of a folder that is left out',
    [
      [
        IGNORE,
        'ignores: (path, isFolder) => folderIgnored(dirName(path)) || matches(path, isFolder),',
        'ignores: (path, isFolder) => matches(path, isFolder),',
      ],
    ],
    () => verdict(compileIgnore(['model/']).ignores(A, false), 'a file of a folder that is left out is synced'),
  ),
  rule(
    'ignore-always',
    'lets a setting undo what is always left out',
    [[IGNORE, 'ignoredBy(fixed, path, isFolder) ??', '']],
    () => verdict(compileIgnore(['!.env']).ignores('model/.env', false), 'a hidden file is synced'),
  ),
  rule(
    'ignore-kept',
    'deletes on the platform what is left out from now on',
    [['sync/core/planning/planner.ts', 'if (input.ignores(path, false)) {', 'if (false) {']],
    async () => {
      const desk = await agreed();
      desk.write('model/.modelbenchignore', '/a.yml\n');
      const plan = await desk.sync.plan();
      return verdict(!plan.entries.some(({ kind }) => kind === 'deleteRemote'), 'what is left out counts as deleted');
    },
  ),
  rule(
    'begun-work',
    'compares a folder before it knows what has begun there',
    [
      [
        'features/folders/begun-records.ts',
        'for (const [key, value] of Object.entries(begun)) await this.#adopt(key, value);',
        '',
      ],
    ],
    async () => {
      const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-a', folderId: 'file:///shop' };
      const key = mergeKey({ ...target, path: A });
      const store = {
        load: async () => Promise.resolve({ [key]: { mine: 'mine' } }),
        save: async () => Promise.resolve(),
      };
      const profile = { user: new MemoryState(), window: new MemoryState() };
      const lock = { isHeld: async () => true, acquire: async () => true, release: async () => undefined };
      await takingUp(lock, new BegunRecords(store, profile, target)).acquire();
      return verdict(profile.window.get(key) !== undefined, 'a half merged text counts as a version of the user');
    },
  ),
];
