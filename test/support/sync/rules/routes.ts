import { chooseTransport } from '#sync/core/transfer/upload-route.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import type { FaultDesk } from '../fault-desk.ts';
import { A, agreed, B, C, honoured, push } from './rule-desk.ts';

const CONFIRM = 'sync/core/transfer/carry-out.ts';
const UPLOAD = 'sync/core/transfer/upload.ts';

export const routeRules: readonly Rule[] = [
  rule(
    'route-quick',
    'compares everything for each saved file',
    [['sync/core/saves/save-sender.ts', "if (quick && !blockingGuard(known.guards, 'push', quick, []))", 'if (false)']],
    async () => {
      const desk = await honoured(B);
      await desk.sync.plan();
      desk.write(A, 'mine');
      const before = desk.platform.requests;
      desk.sync.onSaved([A]);
      await desk.sync.flush();
      return verdict(
        desk.platform.requests === before + 1,
        `one saved file took ${desk.platform.requests - before} requests`,
      );
    },
  ),
  rule(
    'route-transaction',
    'shows a small push on the platform file by file',
    [
      [
        'sync/core/transfer/upload-route.ts',
        "return (roundTrip ?? 0) * transactionRounds(files) > MAX_ROUNDS_MS ? 'batches' : 'transaction';",
        "return 'batches';",
      ],
    ],
    () => verdict(chooseTransport(20, 40) === 'transaction', 'a small push is not one transaction'),
  ),
  rule(
    'route-batches',
    'sends hundreds of files with a request for each',
    [['sync/core/transfer/upload-route.ts', "if (files > FEW_FILES) return 'batches';", '']],
    () => verdict(chooseTransport(600, 1) === 'batches', 'a large push takes a request for each file'),
  ),
  rule(
    'route-bytes',
    'carries bytes that are no text as text',
    [
      [
        'sync/core/remote/platform-remote.ts',
        "new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);",
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.disk.write(`${FOLDER}/${A}`, Buffer.from([0xff, 0xfe, 0x00]));
      const plan = await desk.sync.plan();
      desk.platform.writes.length = 0;
      await desk.sync.push(plan, 'all');
      return verdict(!desk.platform.writes.includes('PUT files'), 'bytes that are no text went as text');
    },
  ),
  rule(
    'route-resumed-restart',
    'forgets at a restart what it had sent of an upload',
    [
      [
        'sync/core/record/sync-record.ts',
        'if (records.length === 0) return;\n    await this.#append(records, false);',
        'if (records.length === 0) return;',
      ],
    ],
    async () => {
      const desk = await halfUploaded();
      await desk.sync.close();
      desk.platform.losesFinish = false;
      desk.platform.isAway = false;
      desk.platform.writes.length = 0;
      await push(desk.open());
      const again = desk.platform.writes.filter((write) => write === 'POST upload/file').length;
      return verdict(again === 1 && desk.platform.files.get(A) === 'mine', `${again} files were sent again`);
    },
  ),
  rule(
    'route-deploy',
    'deploys a manifest of what it uploads only',
    [[UPLOAD, 'for (const [path, file] of fresh.files) manifest.set(path, file.hash);', '']],
    async () => {
      const desk = await agreed({
        ports: (ports) => ({ ...ports, remote: Object.assign(ports.remote, { transactionOnly: true }) }),
      });
      for (const file of [A, B]) desk.disk.remove(`${FOLDER}/${file}`);
      await desk.sync.push(await desk.sync.plan(), new Set([B]), { confirmed: ['manyDeletesRemote'] });
      const { files } = desk.platform;
      return verdict(!files.has(B) && files.has(A) && files.has(C), `deployed are ${[...files.keys()].join(', ')}`);
    },
  ),
  rule(
    'route-last-look',
    'publishes an upload over what moved meanwhile',
    [
      [
        CONFIRM,
        "const listsFirst = how === 'allOrNothing' || !context.writer.honoursPreconditions;",
        'const listsFirst = false;',
      ],
      [
        UPLOAD,
        "if (!fresh) throw new Error('An upload is finished only after a fresh scan.');",
        'if (!fresh) return context.writer.list().then((now) => send(_, now));',
      ],
    ],
    async () => {
      const desk = await honoured(B);
      desk.write(A, 'mine');
      desk.write(B, 'mine too');
      const plan = await desk.sync.plan();
      desk.platform.beforeUpload = () => desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a colleague’s version was overwritten by a finish');
    },
  ),
  rule(
    'route-hashed',
    'publishes bytes that changed while they were sent',
    [
      [UPLOAD, 'if (!content || content.hash !== hash) {', 'if (!content) {'],
      [
        UPLOAD,
        'for (const { path, after } of facets) {\n      if (after',
        'for (const { path, after: wanted } of facets) {\n      const after = wanted === undefined ? undefined : (sentAs.get(path) ?? wanted);\n      if (after',
      ],
      [
        UPLOAD,
        'const content = await ports.files.read(path);',
        'const content = await ports.files.read(path);\n    if (content) sentAs.set(path, content.hash);',
      ],
      [UPLOAD, 'const NOTES = 32;', 'const NOTES = 32;\nconst sentAs = new Map<string, string>();'],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      desk.write(B, 'mine too');
      const plan = await desk.sync.plan();
      desk.write(A, 'unseen');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'a', 'a version that no plan showed was published');
    },
  ),
  rule(
    'route-resumed',
    'sends everything again after a broken upload',
    [[UPLOAD, 'if (pending?.set === set) {', 'if (false) {']],
    async () => {
      const desk = await halfUploaded();
      desk.platform.losesFinish = false;
      desk.platform.isAway = false;
      desk.platform.writes.length = 0;
      await push(desk.sync);
      const again = desk.platform.writes.filter((write) => write === 'POST upload/file').length;
      return verdict(again === 1 && desk.platform.files.get(A) === 'mine', `${again} files were sent again`);
    },
  ),
];

/** Opens a session whose upload of three files was cut at its end. */
async function halfUploaded(): Promise<FaultDesk> {
  const desk = await agreed();
  for (const file of [A, B, C]) desk.write(file, 'mine');
  const plan = await desk.sync.plan();
  desk.platform.losesFinish = true;
  await desk.sync.push(plan, 'all');
  return desk;
}
