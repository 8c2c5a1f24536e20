import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { ChatTransport, TargetState } from '#chat-core/ports.ts';
import { ChatService } from '#chat-core/service.ts';
import { ProposalOrigins } from '#features/chat/vscode/proposal-origins.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { RecordedTransport } from '#support/chat/recorded-transport.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { yaml } from '#support/language/raw.ts';

const A = 'model/a.yml';
const BEFORE = yaml`
  cubes:
    - name: a
      sql_table: a
`;
const content = `\`\`\`yaml ${A}\n${BEFORE}\`\`\``;
const lines = [
  { id: '__cutoff__', state: { chatId: 'c' } },
  { id: 'f', role: 'assistant', content, isDelta: false, isInProcess: false, graphPath: ['final'] },
  { id: '__state__', state: {} },
];

function setUp(transport: ChatTransport, failure?: Error) {
  const disk = { local: new Map([[A, BEFORE]]), branch: new Map<string, string>(), isComplete: true };
  const snapshot = () => (failure ? Promise.reject(failure) : Promise.resolve({ ...disk }));
  const files = new MemoryFiles();
  const target = new Store<TargetState>({ kind: 'ready', target: { scope: 's', label: 'S', transport } });
  const parts = { target, files, clock: new ManualClock(), random: () => 0.5, logger: silentLogger };
  const service = new ChatService({ ...parts, newKey: () => 'k' });
  const origins = new ProposalOrigins({ service, files, logger: silentLogger, snapshot });
  return { disk, files, service, origins };
}

describe('what a proposal was made from', () => {
  it('is the model in the moment the question was sent, and of it only the files that the answer is about', async () => {
    const transport = new RecordedTransport();
    transport.answer(lines);
    const { disk, files, service, origins } = setUp(transport);
    disk.local.set('model/other.yml', 'cubes: []\n');
    const { key } = service.create();
    const settled = new Promise<string>((resolve) => service.onDidEnd(({ turn }) => resolve(turn.id)));
    service.send(key, 'Propose');
    disk.local = new Map([[A, 'changed since\n']]);
    const turn = await settled;
    const records = await origins.of(key, turn);
    await expect.poll(() => records.versions(turn, A)).toEqual([BEFORE]);
    expect(await records.versions(turn, 'model/other.yml')).toBeUndefined();
    await expect.poll(() => [...files.content.values()].join('\n')).not.toContain('cubes: []');
  });

  it('is not known where the model could not be kept, and the answer arrives all the same', async () => {
    const transport = new RecordedTransport();
    transport.answer(lines);
    const { service, origins } = setUp(transport, new Error('no folder'));
    const { key } = service.create();
    const settled = new Promise<string>((resolve) => service.onDidEnd(({ turn }) => resolve(turn.id)));
    service.send(key, 'Propose');
    const turn = await settled;
    expect(await (await origins.of(key, turn)).versions(turn, A)).toBeUndefined();
  });

  it('goes with its thread', async () => {
    const transport = new RecordedTransport();
    transport.answer(lines);
    const { files, service, origins } = setUp(transport);
    const { key } = service.create();
    const settled = new Promise<string>((resolve) => service.onDidEnd(({ turn }) => resolve(turn.id)));
    service.send(key, 'Propose');
    const turn = await settled;
    const records = await origins.of(key, turn);
    await expect.poll(() => records.versions(turn, A)).toEqual([BEFORE]);
    await service.remove(key);
    expect([...files.content.keys()].filter((name) => name.startsWith('proposal-'))).toEqual([]);
  });
});
