import { CancelledError } from '#base/async.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { SyncRecord } from '#sync/core/record/sync-record.ts';
import type { FaultDesk } from '../fault-desk.ts';
import { openBranchDesk } from '../branch-desk.ts';
import { FOLDER, STORAGE } from '../simulated-ports.ts';
import { sha1 } from '../tiny-platform.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B, pull, push } from './rule-desk.ts';

const COMPARE = 'sync/core/planning/compare-sides.ts';
const PULL = 'sync/core/transfer/pull.ts';
const STATE = 'sync/core/record/sync-record.ts';
const BASE_FILE = 'sync/disk/base-file.ts';
const JOURNAL_FILE = 'sync/disk/journal-file.ts';
const [BASE, JOURNAL, COPY] = ['base', 'journal', 'journal.copy'].map((name) => `${STORAGE}/${name}`);
if (BASE === undefined || JOURNAL === undefined || COPY === undefined) throw new Error('unreachable');

/** Returns the bytes of a record of the engine. */
function record(desk: FaultDesk, file: string): Buffer {
  return desk.disk.files(STORAGE).get(file) ?? Buffer.alloc(0);
}

/** Restarts the engine, which reads its records again. */
async function restarted(desk: FaultDesk, change: () => void = () => undefined): Promise<FolderSync> {
  await desk.sync.close();
  change();
  return desk.open();
}

/** Pushes an edit and stores it in a separate snapshot. */
async function agreeOn(desk: FaultDesk, text: string): Promise<void> {
  const first = desk.open();
  desk.write(A, text);
  await push(first);
  await first.close();
  // The next start merges the journal into the snapshot.
  const next = desk.open();
  await next.plan();
  await next.close();
}

function asks({ guards }: Plan): boolean {
  return guards.some(({ kind }) => kind === 'stateDamaged');
}

/** Overwrites the byte that follows a text in a record. */
function damage(desk: FaultDesk, file: string, after: string): void {
  const bytes = record(desk, file);
  const at = bytes.indexOf(after) + after.length;
  desk.disk.write(file, Buffer.concat([bytes.subarray(0, at), Buffer.from('#'), bytes.subarray(at + 1)]));
}

/** Checks that a session that fails to read a record works again, and as before, once the record can be read. */
async function survivesReadError(file: string): Promise<string | undefined> {
  const desk = await agreed();
  await push(desk.sync);
  await desk.sync.close();
  const before = [BASE, JOURNAL, COPY].map((each) => record(desk, each ?? '').toString());
  desk.watch({ kind: `readFile ${file}`, occurrence: 1, code: 'EIO' });
  const sync = desk.open();
  const error = await sync.plan().catch((thrown: unknown) => thrown);
  if (!(error instanceof Error) || error instanceof CancelledError) return 'a record that cannot be read is no error';
  const after = [BASE, JOURNAL, COPY].map((each) => record(desk, each ?? '').toString());
  if (after.join() !== before.join()) return 'a good record was replaced because it could not be read for a moment';
  desk.calm();
  return verdict(!asks(await sync.plan()), 'the session does not work again when the record can be read');
}

export const recordRules: readonly Rule[] = [
  rule(
    'switched-branch',
    'forgets what was agreed with the branch before',
    [[STATE, 'if (!elsewhere) return own;', 'if (elsewhere !== null) return own;']],
    async () => {
      const desk = await openBranchDesk({ 'dev-a': { [A]: 'a' }, 'dev-b': { [A]: 'b', [B]: 'of b' } });
      await pull(desk.sync);
      await desk.switchTo('dev-b');
      const { entries } = await desk.sync.plan();
      return verdict(
        entries.length === 2 && entries.every(({ kind }) => kind === 'download'),
        'what the branches differ in does not come in',
      );
    },
  ),
  rule(
    'base-older',
    'accepts a base of an earlier generation',
    [
      [
        STATE,
        'return first.generation > generation || (first.generation === generation && first.seal !== snapshot?.seal);',
        'return false;',
      ],
    ],
    async () => {
      const desk = await agreed();
      await desk.sync.close();
      const older = record(desk, BASE);
      await agreeOn(desk, 'mine');
      desk.disk.write(BASE, older);
      // A colleague reverts the change: with the older base this seems to be a change by the user only.
      desk.platform.files.set(A, 'a');
      const next = desk.open();
      const plan = await next.plan();
      await next.push(plan, 'all');
      return verdict(asks(plan) && desk.platform.files.get(A) === 'a', 'a colleague’s change was undone');
    },
  ),
  rule(
    'base-seal',
    'accepts a journal for any base of the same generation',
    [[STATE, '(first.generation === generation && first.seal !== snapshot?.seal)', 'false']],
    async () => {
      const desk = await agreed();
      await desk.sync.close();
      const before = new Map(desk.disk.files(STORAGE));
      await agreeOn(desk, 'one');
      const other = record(desk, BASE);
      for (const file of [BASE, JOURNAL, COPY]) desk.disk.write(file, before.get(file) ?? Buffer.alloc(0));
      desk.platform.files.set(A, 'a');
      desk.write(A, 'a');
      await agreeOn(desk, 'two');
      desk.disk.write(BASE, other);
      return verdict(asks(await desk.open().plan()), 'a base and a journal of two histories were read as one');
    },
  ),
  rule(
    'base-checksum',
    'reads a base whose bytes were changed',
    [
      [BASE_FILE, "if (bytes.toString('latin1', body.length) !== `${seal}\\n`) return 'damaged';", ''],
      [STATE, 'first.seal !== snapshot?.seal', 'false'],
    ],
    async () => {
      const desk = await agreed();
      await desk.sync.close();
      await agreeOn(desk, 'mine');
      damage(desk, BASE, sha1('mine').slice(0, 8));
      return verdict(asks(await desk.open().plan()), 'a damaged base was believed');
    },
  ),
  rule(
    'base-damaged',
    'calls a damaged base no base at all, and asks nothing',
    [
      [STATE, "if (snapshot === 'damaged' || journal.damaged) return true;", 'if (journal.damaged) return true;'],
      [
        STATE,
        'return first.generation > generation || (first.generation === generation && first.seal !== snapshot?.seal);',
        'return false;',
      ],
    ],
    async () => {
      const desk = await agreed();
      const sync = await restarted(desk, () => desk.disk.write(BASE, Buffer.from('nonsense')));
      return verdict(asks(await sync.plan()), 'nothing asked the user');
    },
  ),
  rule(
    'base-doubt-stays',
    'asks once, and goes on at the next check',
    [
      [
        COMPARE,
        'if (open.length === 0 && local.complete && remote.complete) await state.trustAgain();',
        'await state.trustAgain();',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const sync = await restarted(desk, () => desk.disk.write(BASE, Buffer.from('nonsense')));
      await sync.plan();
      return verdict(asks(await sync.plan()), 'the question went away without an answer');
    },
  ),
  rule(
    'base-trusted',
    'asks again at each start what the user has answered',
    [[STATE, 'this.#isDoubtful = false;\n    await this.checkpoint();', 'this.#isDoubtful = false;']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const sync = await restarted(desk, () => desk.disk.write(BASE, Buffer.from('nonsense')));
      const { status } = await sync.push(await sync.plan(), new Set<string>(), { confirmed: ['stateDamaged'] });
      await sync.close();
      return verdict(status === 'done' && !asks(await desk.open().plan()), 'the same question comes after each start');
    },
  ),
  rule(
    'base-generation',
    'carries out a plan that an earlier run has overtaken',
    [['sync/core/create-folder-sync.ts', '|| plan.generation !== context.state.generation;', ';']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      await desk.sync.push(plan, 'all');
      return verdict((await desk.sync.push(plan, 'all')).status === 'refused', 'a plan was carried out twice');
    },
  ),
  rule(
    'base-read-error',
    'takes a base that cannot be read now for a damaged one',
    [
      [
        BASE_FILE,
        'const bytes = await this.#disk.readNote(this.#file);',
        "const bytes = await this.#disk.readNote(this.#file).catch(() => 'damaged' as const);\nif (bytes === 'damaged') return bytes;",
      ],
    ],
    () => survivesReadError(BASE),
  ),
  rule(
    'base-absent',
    'takes a base that cannot be read now for none',
    [
      [
        BASE_FILE,
        'await this.#disk.readNote(this.#file);',
        'await this.#disk.readNote(this.#file).catch(() => undefined);',
      ],
    ],
    () => survivesReadError(BASE),
  ),
  rule(
    'journal-read-error',
    'takes a journal that cannot be read now for a missing one',
    [[JOURNAL_FILE, 'await this.#disk.readNote(file);', 'await this.#disk.readNote(file).catch(() => undefined);']],
    () => survivesReadError(JOURNAL),
  ),
  rule(
    'journal-missing',
    'continues with a base whose journal is gone',
    [[STATE, 'if (journal.missing) return snapshot !== undefined;', 'if (journal.missing) return false;']],
    async () => {
      const desk = await agreed();
      const sync = await restarted(desk, () => [JOURNAL, COPY].forEach((file) => desk.disk.remove(file)));
      return verdict(asks(await sync.plan()), 'what the journal had noted was forgotten without a question');
    },
  ),
  rule(
    'journal-checksum',
    'reads a journal whose lines were changed',
    [
      [JOURNAL_FILE, 'if (!isSound) continue;', 'isSound = true;'],
      [
        JOURNAL_FILE,
        'const agree = rivals.every(({ sums }) => sums.every((sum, at) => sum === best.sums[at]));',
        'const agree = true;',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.sync);
      const sync = await restarted(desk, () => {
        for (const file of [JOURNAL, COPY]) damage(desk, file, '"type":"done","path":"model/');
      });
      return verdict(asks(await sync.plan()), 'a damaged journal was believed');
    },
  ),
  rule(
    'journal-twice',
    'keeps its journal once',
    [[JOURNAL_FILE, 'this.#files = [file, `${file}.copy`];', 'this.#files = [file, file];']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.sync);
      const sync = await restarted(desk, () => desk.disk.write(JOURNAL, Buffer.from('nonsense')));
      return verdict(!asks(await sync.plan()), 'damage to one of two copies cost the record');
    },
  ),
  rule(
    'journal-fold',
    'lets its journal grow for ever',
    [[STATE, 'if (agreements.length + this.#records > CHECKPOINT_RECORDS) {', 'if (false) {']],
    async () => {
      let [noted, snapshots] = [0, 0];
      const state = await SyncRecord.open(
        {
          base: { load: async () => undefined, save: async () => String((snapshots += 1)) },
          journal: {
            boot: '1',
            load: async () => ({ records: [], damaged: false, missing: true }),
            append: async (records) => void (noted += records.length),
            reset: async () => void (noted = 0),
            close: async () => undefined,
          },
          files: { recover: async () => undefined },
        },
        { account: 'demo', deployment: '1', branch: 'dev-a' },
      );
      for (let number = 0; number < 5000; number++) await state.commit([{ path: A, hash: String(number), size: 1 }]);
      return verdict(noted < 5000 && snapshots > 0, `the journal has ${noted} records`);
    },
  ),
  rule(
    'journal-recovery',
    'takes every stop for a clean one',
    [
      [
        STATE,
        "const unclean = !journal.missing && !(last?.type === 'close' && last.boot === boot);",
        'const unclean = false;',
      ],
    ],
    async () => {
      const desk = await agreed({ ports: (ports) => ({ ...ports, lock: anyLock }) });
      await desk.sync.plan();
      // The process is killed, and the disk has stored the name of a file without its bytes.
      desk.write(A, '');
      const next = desk.open();
      const [entry] = (await next.plan()).entries;
      return verdict(entry?.kind === 'conflict', `a file that a crash emptied is a ${entry?.kind}`);
    },
  ),
  rule(
    'torn-undecided',
    'forgets an unclean stop while an empty file waits for something else',
    [[COMPARE, ' || files.get(entry.path)?.size === 0;', ';']],
    async () => {
      const desk = await agreed({ ports: (ports) => ({ ...ports, lock: anyLock }) });
      desk.write(A, '');
      const next = desk.open();
      // Temporarily, a folder with its name on the branch is the more urgent conflict.
      desk.platform.files.delete(A);
      desk.platform.files.set(`${A}/x.yml`, 'theirs');
      await next.plan();
      desk.platform.files.delete(`${A}/x.yml`);
      desk.platform.files.set(A, 'a');
      const [entry] = (await next.plan()).entries;
      return verdict(entry?.kind === 'conflict', `a file that a crash emptied is a ${entry?.kind} later`);
    },
  ),
  rule(
    'law-of-order',
    'notes in the base what the disk may still lose',
    [[PULL, 'await keepForGood(context.ports.files, paths, only);', 'new Map<string, Error>();']],
    async () => {
      const desk = await agreed({ ports: (ports) => ({ ...ports, lock: anyLock }) });
      desk.disk.writeBack();
      desk.platform.files.set(A, 'theirs');
      desk.platform.files.set('model/new.yml', 'new');
      await desk.sync.pull(await desk.sync.plan(), 'all');
      // Closing the session makes its record durable.
      await desk.sync.close();
      desk.disk.losePower(() => false);
      const plan = await desk.open().plan();
      const outgoing = plan.entries.filter(({ kind }) => kind === 'deleteRemote' || kind === 'upload');
      return verdict(outgoing.length === 0, 'what a power loss took counts as the user’s deletion');
    },
  ),
  rule(
    'law-of-order-later',
    'notes what an interrupted pull brought before the disk has it for good',
    [['sync/core/record/confirm-attempts.ts', 'await keepForGood(ports.files, arrived);', 'new Map();']],
    async () => {
      const desk = await agreed();
      desk.disk.writeBack();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      // The file is in its place, but the disk fails when it is asked to make that durable.
      desk.watch({ kind: `fsync ${FOLDER}/model`, occurrence: 1, code: 'EIO' });
      await desk.sync.pull(plan, 'all').catch(() => undefined);
      desk.calm();
      await desk.sync.plan();
      await desk.sync.close();
      desk.disk.losePower(() => false);
      const entries = (await desk.open().plan()).entries.map(({ kind }) => kind);
      return verdict(!entries.includes('upload'), 'a version that a power loss brought back counts as an edit');
    },
  ),
  rule(
    'journal-heals',
    'writes on behind what a failed note may have left',
    [[STATE, 'if (this.#isBehind) await this.checkpoint();', '']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      desk.watch({ kind: `write ${JOURNAL}`, occurrence: 1, code: 'EMFILE' });
      await push(desk.sync).catch(() => undefined);
      desk.calm();
      await push(desk.sync).catch(() => undefined);
      return verdict(desk.platform.files.get(A) === 'mine', 'the session never worked again');
    },
  ),
  rule(
    'opened-once',
    'opens the base anew for everybody who asks',
    [
      [
        'sync/core/record/opened-base.ts',
        'return this.#opening.run(async () => {',
        'return ((work) => work())(async () => {',
      ],
    ],
    async () => {
      let opened = 0;
      const desk = await agreed({
        ports: (ports) => ({
          ...ports,
          base: { save: (snapshot) => ports.base.save(snapshot), load: () => ((opened += 1), ports.base.load()) },
        }),
      });
      await desk.sync.close();
      opened = 0;
      const next = desk.open();
      await Promise.all([next.plan(), next.baseContent(B), next.baseContent(A)]);
      return verdict(opened === 1, `the base was opened ${opened} times: one session lacks what the other learned`);
    },
  ),
];

/** A lock that a killed process no longer holds. */
const anyLock = { acquire: async () => true, isHeld: async () => true, release: async () => undefined };
