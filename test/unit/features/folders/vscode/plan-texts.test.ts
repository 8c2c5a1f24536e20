import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import type * as PlanTexts from '#features/folders/vscode/plan-texts.ts';
import type { Uri } from '#support/fake-vscode.ts';
import { plan, prune, upload } from '#support/plan.ts';

const onDisk = new Map([
  ['/f/model/cubes/orders.yml', 'here'],
  ['/f/model/cubes/other.yml', 'same on both sides'],
]);

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  RelativePattern: class {
    readonly base: Uri;
    constructor(base: Uri) {
      this.base = base;
    }
  },
  workspace: {
    findFiles: async ({ base }: { readonly base: Uri }) => {
      const { Uri } = await import('#support/fake-vscode.ts');
      const found = [...onDisk.keys(), '/f/model/cubes/gone.yml'].filter((path) => path.startsWith(base.path));
      return found.map((path) => Uri.parse(`file://${path}`));
    },
    fs: {
      readFile: async ({ path }: Uri) => {
        const text = onDisk.get(path);
        return text === undefined
          ? Promise.reject(new Error('not found'))
          : Promise.resolve(new TextEncoder().encode(text));
      },
    },
  },
}));

let texts: typeof PlanTexts;
beforeAll(async () => {
  vi.resetModules();
  texts = await import('#features/folders/vscode/plan-texts.ts');
});
afterAll(() => vi.resetModules());

const remoteContent = async (path: string): Promise<Uint8Array> =>
  Promise.resolve(new TextEncoder().encode(path.endsWith('.bin') ? '\0' : `there ${path}`));
const open = {
  plan,
  session: { folder: { folderId: 'file:///f', link: { modelPath: 'model' } }, sync: { remoteContent } },
} as unknown as OpenPlan;

describe('the texts of a plan', () => {
  it('are read on the side that each of them is on', async () => {
    expect(await texts.entryTexts(open, upload)).toEqual({
      before: [upload.path, `there ${upload.path}`],
      after: [upload.path, 'here'],
    });
    expect(await texts.entryTexts(open, prune)).toEqual({
      before: [prune.path, `there ${prune.path}`],
      after: undefined,
    });
  });

  it('have the former path of a renamed file, and none of what is not a text', async () => {
    const renamed = { kind: 'renameRemote', from: 'model/a.yml', path: upload.path, hash: 'a', size: 1 } as const;
    expect((await texts.entryTexts(open, renamed)).before).toEqual(['model/a.yml', 'there model/a.yml']);
    const binary = { ...prune, path: 'model/a.bin' };
    expect(await texts.entryTexts(open, binary)).toEqual({ before: undefined, after: undefined });
  });

  it('leave the files that the plan does not name, by their paths in the folder', async () => {
    expect([...(await texts.otherTexts(open))]).toEqual([['model/cubes/other.yml', 'same on both sides']]);
  });
});
