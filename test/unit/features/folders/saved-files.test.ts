import { beforeEach, describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { SaveChoices } from '#features/folders/save-choice.ts';
import { SavedFiles } from '#features/folders/saved-files.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { QuestionQueue } from '#shell/question-queue.ts';
import { MemoryState } from '#support/memory-state.ts';
import { MemoryPushSetting } from '#support/push-setting.ts';

const shop = 'file:///work/shop';
const file = (path: string) => ({ folderId: shop, path });

/** A linked folder that records its calls, and a user who answers the question about it. */
function scene({
  setting,
  readOnly,
  merging,
}: { readonly setting?: boolean; readonly readOnly?: string; readonly merging?: string } = {}) {
  const told: string[][] = [];
  const asked: string[] = [];
  const sync = { status: { value: { readOnly } }, onSaved: (paths: readonly string[]) => told.push([...paths]) };
  const session = { folder: { folderId: shop }, target: {}, sync } as unknown as SyncSession;
  const saveChoices = new SaveChoices(new MemoryPushSetting(setting), new MemoryState());
  let configured = 0;
  const saved = new SavedFiles({
    saveChoices,
    syncs: {
      all: new Store([session]),
      ofFolder: () => session,
      opened: async (folderId) => Promise.resolve(folderId === shop ? session : undefined),
    },
    consent: { missing: () => undefined },
    merges: { of: ({ path }) => (path === merging ? { mine: '', remote: '' } : undefined) },
    questions: new QuestionQueue({ now: () => 0, sleep: async () => undefined }),
    choosePush: async ({ folder }) => {
      asked.push(folder.folderId);
      return Promise.resolve();
    },
    configure: () => (configured += 1),
    report: (error) => {
      throw error;
    },
  });
  return { saved, saveChoices, told, asked, configured: () => configured };
}

describe('SavedFiles', () => {
  let place: ReturnType<typeof scene>;
  beforeEach(() => {
    place = scene();
  });

  it('reports the files of each folder at once, and those of others not at all', async () => {
    await place.saved.saved([file('model/a.yml'), { folderId: 'file:///other', path: 'b.yml' }, file('model/c.yml')]);
    expect(place.told).toEqual([['model/a.yml', 'model/c.yml']]);
  });

  it('asks once how saved files are pushed, and reports what waited when that is answered', async () => {
    await place.saved.saved([file('model/a.yml')]);
    await place.saved.saved([file('model/b.yml')]);
    expect(place.asked).toEqual([shop]);
    place.told.length = 0;
    await place.saveChoices.choose(true);
    expect([place.told, place.configured()]).toEqual([[['model/a.yml', 'model/b.yml']], 1]);
    await place.saveChoices.choose(false);
    expect(place.told).toHaveLength(1);
  });

  it('asks nothing when a merge editor saves its file, and asks at the next save of another one', async () => {
    const { saved, asked, told } = scene({ merging: 'model/a.yml' });
    await saved.saved([file('model/a.yml')]);
    expect([asked, told]).toEqual([[], [['model/a.yml']]]);
    await saved.saved([file('model/a.yml'), file('model/b.yml')]);
    expect(asked).toEqual([shop]);
  });

  it.each([
    ['the user has chosen', { setting: false }],
    ['another window writes the folder', { readOnly: 'elsewhere' }],
  ])('asks nothing where %s', async (_, options) => {
    const { saved, asked, told } = scene(options);
    await saved.saved([file('model/a.yml')]);
    expect([asked, told]).toEqual([[], [['model/a.yml']]]);
  });

  it('reports nothing any more after it was disposed of', async () => {
    await place.saved.saved([file('model/a.yml')]);
    place.saved.dispose();
    place.told.length = 0;
    await place.saveChoices.choose(true);
    expect(place.told).toEqual([]);
  });
});
