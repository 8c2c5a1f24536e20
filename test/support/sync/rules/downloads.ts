import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, pull, trashHolds } from './rule-desk.ts';

export const downloadRules: readonly Rule[] = [
  rule(
    'download-proven',
    'writes bytes that do not fit their hash',
    [
      [
        'sync/core/remote/remote-reads.ts',
        'if (bytes && (await hasher.hash(bytes)) === wanted.hash) {',
        'if (bytes) {',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      desk.platform.delivers = () => 'something else';
      await pull(desk.sync);
      return verdict(desk.files()[A] === 'a', 'bytes that the platform does not list were written');
    },
  ),
  rule(
    'download-not-text',
    'asks for a file that cannot come as text at each check',
    [['sync/core/transfer/pull.ts', 'if (notText.length > 0) await blobs.noteNotText(notText);', '']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      desk.platform.delivers = () => '\uFFFD';
      await pull(desk.sync);
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'frozen', `it is offered as a ${entry?.kind} again`);
    },
  ),
  rule(
    'download-staged',
    'takes a file out of its place before the new one is on the disk',
    [
      [
        'sync/disk/disk.ts',
        'await handle.appendFile(bytes);\n      if (isDurable) await handle.sync();',
        'await handle.appendFile(bytes);',
      ],
    ],
    async () => {
      // The power fails before the folder is flushed: so many name changes are on the disk then, and no more bytes.
      for (let names = 0; names < 8; names++) {
        const desk = await agreed();
        desk.disk.writeBack();
        desk.platform.files.set(A, 'theirs');
        let [left, here]: [number, string | undefined] = [names, 'a'];
        desk.beforeCall(`rm ${FOLDER}/model/.modelbench-`, () => {
          desk.disk.losePower(() => left-- > 0);
          here = desk.files()[A];
        });
        await pull(desk.sync).catch(() => undefined);
        if (here !== undefined && here !== 'a' && here !== 'theirs') return `after a power loss the file is “${here}”`;
      }
      return undefined;
    },
  ),
  rule(
    'download-trash',
    'replaces a file without keeping it',
    [['sync/disk/trash-store.ts', 'await this.#disk.copy(from, own);', 'return this.#disk.hash(from);']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      await pull(desk.sync);
      return verdict(await trashHolds(desk.sync, 'a'), 'the version before is not in the trash');
    },
  ),
  rule(
    'download-taken',
    'keeps in the trash what a program wrote at the last moment, instead of giving it back',
    [['sync/disk/file-store.ts', 'if (aside?.hash === expected) return aside;', 'if (aside) return aside;']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      desk.beforeCall(`rename ${FOLDER}/${A}`, () => desk.write(A, 'mine'));
      await desk.sync.pull(plan, 'all');
      return verdict(desk.files()[A] === 'mine', 'a file that was saved at the last moment is gone');
    },
  ),
  rule(
    'download-placed',
    'puts a file over what came into its place',
    [['sync/disk/disk.ts', 'await this.calls.link(from, to);', 'await this.calls.copyFile(from, to, 0);']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      desk.beforeCall(`link `, () => desk.write(A, 'mine'));
      desk.beforeCall(`copy /home/linked/model/.modelbench`, () => desk.write(A, 'mine'));
      await desk.sync.pull(plan, 'all');
      return verdict(desk.files()[A] === 'mine', 'a file that was saved at the last moment was overwritten');
    },
  ),
  rule(
    'download-flushed',
    'notes a file whose name a power loss may take',
    [
      [
        'sync/disk/file-store.ts',
        'await mapLimited([...folders], SYNCS, (folder) => this.#disk.syncFolder(folder));',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.disk.writeBack();
      desk.platform.files.set('model/new.yml', 'new');
      await pull(desk.sync);
      await desk.sync.close();
      desk.disk.losePower(() => false);
      const plan = await desk.open().plan();
      return verdict(!plan.entries.some(({ kind }) => kind === 'deleteRemote'), 'a power loss became a deletion');
    },
  ),
  rule(
    'download-recovered',
    'leaves what a crash took out of its place hidden',
    [
      [
        'sync/disk/set-aside.ts',
        'for (const own of leftovers) if (!this.#active.has(own)) await this.#recoverFile(own).catch(() => undefined);',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      await desk.sync.close();
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/.modelbench-abc.old`);
      const next = desk.open();
      await next.plan();
      const isBack = Object.keys(desk.files()).every((name) => !name.includes('.modelbench'));
      return verdict(isBack && (await trashHolds(next, 'a')), 'a version stays under a hidden name');
    },
  ),
];
