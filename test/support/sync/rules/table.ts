import type { Plan } from '#sync/core/planning/plan.ts';
import { automaticEntries } from '#sync/core/saves/save-sync.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { bystanders, type PlanSides, planInput } from '../plan-input.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, type Verdict, verdict } from './rule.ts';
import { A, agreed, B, honoured, pull, push, trashHolds } from './rule-desk.ts';

const PATH = 'model/a.yml';
const PLANNER = 'sync/core/planning/planner.ts';

/** Returns a plan in which only the path of the story is open. */
function planOf({ base, local, remote, ...rest }: PlanSides): Plan {
  const [own, here, there] = [base, local, remote].map((side) => ({ ...bystanders, ...side }));
  return makePlan(planInput({ base: own ?? {}, local: here ?? {}, remote: there ?? {}, ...rest }));
}

/** Checks that the only entry of a plan, as `kind reason path`, is the expected one. */
function plans(sides: PlanSides, expected: string): Verdict {
  const found = planOf(sides)
    .entries.map(({ kind, path, ...rest }) => `${kind}${'reason' in rest ? ` ${rest.reason}` : ''} ${path}`)
    .join(', ');
  return verdict(found === expected, `planned “${found}” instead of “${expected}”`);
}

/** The plan for each row of the table; the stories of effects and downloads cover how it is carried out. */
export const tableRules: readonly Rule[] = [
  rule(
    'row-1',
    'calls a path unchanged that only this disk has as agreed',
    [
      [
        PLANNER,
        'if (local.files.get(path)?.hash === hash && remote.files.get(path)?.hash === hash)',
        'if (local.files.get(path)?.hash === hash)',
      ],
    ],
    () => plans({ base: { [PATH]: 'a' }, local: { [PATH]: 'a' }, remote: { [PATH]: 'b' } }, `download changed ${PATH}`),
  ),
  rule(
    'row-2',
    'does not note what both sides agree on',
    [
      [
        'sync/core/planning/compare-sides.ts',
        'agreements.push({ path: entry.path, hash: entry.hash, size: entry.size });',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'same');
      desk.platform.files.set(A, 'same');
      await desk.sync.plan();
      desk.write(A, 'mine');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'upload', `an edit of what both sides had alike is a ${entry?.kind}`);
    },
  ),
  rule(
    'row-3',
    'forgets a path that an incomplete list leaves out',
    [[PLANNER, 'return base && input.local.complete && input.remote.complete ?', 'return base ?']],
    () => plans({ base: { [PATH]: 'a' }, remoteComplete: false }, ''),
  ),
  rule(
    'row-4',
    'sends a write without its condition',
    [
      [
        'sync/core/remote/remote-write.ts',
        "return { 'If-Match': expected.map((hash) => `\"${hash ?? '-'}\"`).join(', ') };",
        'return {};',
      ],
    ],
    async () => {
      const desk = await honoured(A);
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a version of a colleague was overwritten');
    },
  ),
  rule(
    'row-5',
    'replaces whatever is there, not only what was compared',
    [
      [
        'sync/core/transfer/pull.ts',
        'replaceHere(ports, file, entry.expectedLocal, run.cause)',
        'replaceHere(ports, file, await ports.files.stateOf(entry.path).then((now) => (now.kind === "file" ? now.hash : undefined)), run.cause)',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      desk.write(A, 'mine');
      await desk.sync.pull(plan, 'all');
      return verdict(desk.files()[A] === 'mine', 'a file that was edited after the comparison was replaced');
    },
  ),
  rule(
    'row-6',
    'deletes on the platform what was deleted here, after any save',
    [
      [
        'sync/core/saves/save-sync.ts',
        "return kind === 'upload' || kind === 'renameRemote';",
        'return kind !== undefined;',
      ],
    ],
    () => {
      const plan = planOf({ base: { [PATH]: 'a' }, local: {}, remote: { [PATH]: 'a' } });
      if (plan.entries[0]?.kind !== 'deleteRemote') return 'a deletion here is not offered';
      return verdict(automaticEntries(plan, new Set([PATH])).length === 0, 'a deletion is sent automatically');
    },
  ),
  rule(
    'row-7',
    'deletes the local file without keeping it',
    [
      [
        'sync/disk/file-store.ts',
        "this.#aside.retire(aside);\n      return { kind: 'done', backup: id };",
        "this.#aside.retire(aside);\n      await this.#trash.forget(aside.id);\n      return { kind: 'done', backup: id };",
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.delete(A);
      await pull(desk.sync);
      if (desk.files()[A] !== undefined) return 'a deletion on the platform was not brought';
      return verdict(await trashHolds(desk.sync, 'a'), 'the deleted version is not in the trash');
    },
  ),
  rule(
    'row-8',
    'deletes a colleague’s edit because the file was deleted here',
    [
      [
        PLANNER,
        "if (!local && remote) return download(sides, remote, 'restored');",
        "if (!local && remote) return { kind: 'deleteRemote', path: sides.path, expectedRemote: remote.hash, size: 0 };",
      ],
    ],
    () => plans({ base: { [PATH]: 'a' }, remote: { [PATH]: 'b' } }, `download restored ${PATH}`),
  ),
  rule(
    'row-9',
    'deletes the user’s edit because the file was deleted on the platform',
    [
      [
        PLANNER,
        "if (local && !remote) return upload(sides, local, 'restored');",
        "if (local && !remote) return { kind: 'deleteLocal', path: sides.path, expectedLocal: local.hash, size: 0 };",
      ],
    ],
    () => plans({ base: { [PATH]: 'a' }, local: { [PATH]: 'b' } }, `upload restored ${PATH}`),
  ),
  rule(
    'row-10',
    'lets the local version win',
    [[PLANNER, 'if (localChanged && remoteChanged) return bothChanged(sides);', '']],
    () =>
      plans({ base: { [PATH]: 'a' }, local: { [PATH]: 'b' }, remote: { [PATH]: 'c' } }, `conflict bothChanged ${PATH}`),
  ),
  rule(
    'row-11',
    'takes the platform’s version where no base tells what is newer',
    [
      [
        PLANNER,
        "return conflict(sides, sides.base ? 'bothChanged' : 'bothAdded');",
        "return sides.base || !remote ? conflict(sides, 'bothChanged') : download(sides, remote, 'added');",
      ],
    ],
    () => plans({ local: { [PATH]: 'b' }, remote: { [PATH]: 'c' } }, `conflict bothAdded ${PATH}`),
  ),
  rule(
    'row-12',
    'brings a version under an editor with unsaved changes',
    [[PLANNER, "if (input.dirty.has(path) && entry.kind !== 'upload' && entry.kind !== 'conflict') {", 'if (false) {']],
    () =>
      plans(
        { base: { [PATH]: 'a' }, local: { [PATH]: 'a' }, remote: { [PATH]: 'b' }, dirty: [PATH] },
        `conflict dirtyEditor ${PATH}`,
      ),
  ),
  rule(
    'row-13',
    'freezes a folder, but not what lies in it',
    [
      [
        PLANNER,
        "for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {\n    const reason",
        'for (let end = path.length; end === path.length; end = 0) {\n    const reason',
      ],
    ],
    () => {
      const input = planInput({
        base: { ...bystanders, [PATH]: 'a' },
        local: bystanders,
        remote: { ...bystanders, [PATH]: 'a' },
      });
      const frozen = new Map([['model', 'unreadable']] as const);
      const { entries } = makePlan({ ...input, local: { ...input.local, files: new Map(), frozen } });
      return verdict(
        entries.every(({ kind }) => kind === 'frozen'),
        'what lies in a frozen folder counts as deleted',
      );
    },
  ),
  rule(
    'row-14',
    'puts a file in the place of a folder',
    [[PLANNER, 'if (input.clashes.roots.size > 0 && insideAny(path, input.clashes.roots))', 'if (false)']],
    () => {
      const { entries } = planOf({ local: { 'model/a': 'x' }, remote: { 'model/a/b.yml': 'y' } });
      const isHeld = entries.every((entry) => entry.kind === 'conflict' && entry.reason === 'fileAndFolder');
      return verdict(entries.length === 2 && isHeld, 'a file and a folder of one name are no conflict');
    },
  ),
  rule(
    'row-15',
    'uploads a file that a crash emptied',
    [
      [
        PLANNER,
        'return local.torn === true || (unclean && local.size === 0 && base.size > 0);',
        'return local.torn === true;',
      ],
    ],
    () =>
      plans(
        { base: { [PATH]: 'a' }, local: { [PATH]: '' }, remote: { [PATH]: 'a' }, unclean: true },
        `conflict tornWrite ${PATH}`,
      ),
  ),
  rule(
    'row-16',
    'guesses which of several copies a file was renamed to',
    [['sync/core/planning/renames.ts', "into.set(key, into.has(key) ? 'several' : entry);", 'into.set(key, entry);']],
    () => {
      const { entries } = planOf({
        base: { [PATH]: 'same' },
        local: { 'model/b.yml': 'same', 'model/c.yml': 'same' },
        remote: { [PATH]: 'same' },
      });
      return verdict(!entries.some(({ kind }) => kind === 'renameRemote'), 'one of two copies is called the rename');
    },
  ),
  rule(
    'one-name',
    'takes names that differ in letter case for two files',
    [['base/file-names.ts', 'if (ASCII.test(path)) return path.toLowerCase();', 'if (ASCII.test(path)) return path;']],
    async () => {
      const desk = await agreed(undefined, { name: 'a disk that ignores case', ...{ ignoresCase: true } });
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/A.yml`);
      desk.write('model/A.yml', 'mine');
      const kinds = (await desk.sync.plan()).entries.map(({ kind }) => kind).join(', ');
      return verdict(kinds === 'renameRemote', `an edit and a change of letter case are ${kinds}`);
    },
  ),
  rule(
    'true-name',
    'knows a file by the name that it was asked for, not by the one that it has',
    [['sync/disk/model-folder.ts', 'return this.#names.trueName(target) !== undefined;', 'return false;']],
    async () => {
      const desk = await agreed(undefined, { name: 'a disk that ignores case', ...{ ignoresCase: true } });
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/A.yml`);
      desk.sync.onSaved([A, 'model/A.yml']);
      await desk.sync.flush();
      await push(desk.sync);
      const { files } = desk.platform;
      return verdict(!files.has(A) && files.get('model/A.yml') === 'a', 'the platform has the file under both names');
    },
  ),
  rule(
    'case-rename',
    'calls any two names that differ in letter case a rename',
    [['sync/core/planning/clashes.ts', 'if (isRename([...group], input)) continue;', 'continue;']],
    () =>
      verdict(
        planOf({ local: { 'model/a.yml': 'x', 'model/A.yml': 'y' } }).entries.every(({ kind }) => kind === 'frozen'),
        'two files here that differ in letter case only are both uploaded',
      ),
  ),
  rule(
    'case-rename-pulled',
    'brings a change of letter case as a deletion and a new file',
    [['sync/core/transfer/pull.ts', 'await changeHere(context, renames, run);', '']],
    async () => {
      const desk = await agreed({}, { name: 'a disk that ignores case', ...{ ignoresCase: true } });
      desk.platform.files.delete(A);
      desk.platform.files.set('model/A.yml', 'theirs');
      await pull(desk.sync);
      const files = desk.files();
      return verdict(
        files['model/A.yml'] === 'theirs' && files[A] === undefined,
        `here are ${Object.keys(files).join()}`,
      );
    },
  ),
  rule(
    'line-endings',
    'does not see that two versions differ in their line endings only',
    [
      [
        'sync/core/versions/eol.ts',
        'if (byte !== CR || bytes[at + 1] !== LF) out[size++] = byte;',
        'out[size++] = byte;',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(B, 'x\r\n');
      desk.platform.files.set(B, 'x\n');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(
        entry?.kind === 'conflict' && entry.eolOnly,
        'a conflict about line endings is not labelled as one',
      );
    },
  ),
];
