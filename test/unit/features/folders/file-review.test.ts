import { describe, expect, it } from 'vitest';
import { fileReview, type ReviewedFiles } from '#features/folders/file-review.ts';
import { UntickedFiles } from '#features/folders/unticked-files.ts';
import { MemoryState } from '#support/memory-state.ts';
import { reviewRow } from '#support/review.ts';

const input = { message: '', options: [], typed: '' };

/** A page whose comparisons name what they compare. */
function review(more: Partial<ReviewedFiles> = {}, unticked?: UntickedFiles) {
  const files: ReviewedFiles = {
    key: 'trash',
    accountId: 'a',
    title: 'Restore from trash: shop',
    from: 'trash',
    to: 'shop',
    heading: 'Restore',
    rows: [reviewRow('model/a.yml', { kind: 'add' }), reviewRow('model/b.yml')],
    button: (files) => `Restore ${files}`,
    texts: async (id) => Promise.resolve({ before: undefined, after: id }),
    diff: async () => Promise.resolve(),
    model: {
      ofFile: async (path) => Promise.resolve([`changes ${path}`]),
      ofFiles: async (before, after, others) => {
        const kept = [...(await others()).keys()].join();
        return { summary: `${[...before.keys()].join()} → ${[...after.keys()].join()} beside ${kept}`, lines: [] };
      },
      others: async () => Promise.resolve(new Map([['model/v.yml', 'v']])),
    },
    ...more,
  };
  return fileReview(files, unticked);
}

type Page = ReturnType<typeof review>;
const said = ({ source }: Page): string | undefined => source.document.value?.sections[0]?.summary;

describe('the page of files that are put back', () => {
  it('has all files ticked at first, and answers those that are ticked when it is confirmed', async () => {
    const { source, answer } = review();
    expect(source.document.value).toMatchObject({
      action: { label: 'Restore 2 Files', whyNot: '' },
      isProduction: false,
    });
    const { groups } = source.document.value ?? {};
    source.tick(['model/b.yml', 'model/unknown.yml'], false);
    expect(source.document.value?.action.label).toBe('Restore 1 File');
    expect(source.document.value?.groups).toBe(groups);
    expect(await source.apply(input)).toBe(true);
    expect(await answer).toEqual(new Set(['model/a.yml']));
  });

  it('keeps a file unticked after a reload of the window, in that version and until the page is confirmed', async () => {
    const state = new MemoryState();
    const open = (version = '1', more: Partial<ReviewedFiles> = {}) =>
      review({ version: () => version, ...more }, new UntickedFiles(state)).source;
    const ticked = (source = open()): readonly string[] => [...(source.document.value?.ticked ?? [])];
    const first = open();
    first.tick(['model/b.yml'], false);
    // The window closes its pages.
    first.close();
    const after = open();
    expect(ticked(after)).toEqual(['model/a.yml']);
    expect(after.document.value?.action.label).toBe('Restore 1 File');
    expect(ticked(open('2'))).toEqual(['model/a.yml', 'model/b.yml']);
    expect(ticked(open('1', { key: 'another page' }))).toEqual(['model/a.yml', 'model/b.yml']);
    // A row that cannot be unticked any more is included.
    const fixed = [reviewRow('model/a.yml'), reviewRow('model/b.yml', { canTick: false })];
    expect(ticked(open('1', { rows: fixed }))).toEqual(['model/a.yml', 'model/b.yml']);
    await after.apply(input);
    expect(ticked()).toEqual(['model/a.yml', 'model/b.yml']);
    await state.set('untickedFiles', [['trash', 'damaged']]);
    expect(ticked()).toEqual(['model/a.yml', 'model/b.yml']);
  });

  it('cannot be confirmed where nothing is ticked', () => {
    const { source } = review();
    source.tick(['model/a.yml', 'model/b.yml'], false);
    expect(source.document.value?.action).toEqual({ label: 'Restore 0 Files', whyNot: 'Tick at least one file.' });
    source.tick(['model/unknown.yml', 'model/a.yml'], true);
    expect(source.document.value?.ticked).toEqual(new Set(['model/a.yml']));
  });

  it('says what the ticked files change of the model, beside what stays', async () => {
    const page = review({ texts: async (id) => Promise.resolve({ before: `old ${id}`, after: id }) });
    expect(page.source.document.value?.sections).toMatchObject([{ title: 'What changes', state: 'loading' }]);
    await expect.poll(() => said(page)).toBe('model/a.yml,model/b.yml → model/a.yml,model/b.yml beside model/v.yml');
    page.source.tick(['model/b.yml'], false);
    expect(page.source.document.value?.sections).toMatchObject([{ state: 'loading' }]);
    await expect.poll(() => said(page)).toBe('model/a.yml → model/a.yml beside model/v.yml,model/b.yml');
    expect(await page.source.texts('model/a.yml')).toMatchObject({ changes: ['changes model/a.yml'] });
  });

  it('compares a file by the path that it gets back', async () => {
    const page = review({
      rows: [reviewRow('model/new.yml')],
      model: {
        ofFile: async () => Promise.resolve([]),
        ofFiles: async (_, after) => Promise.resolve({ summary: [...after.keys()].join(), lines: [] }),
        others: async () => Promise.resolve(new Map()),
        laterPath: (path) => path.replace('new', 'old'),
      },
    });
    await expect.poll(() => said(page)).toBe('model/old.yml');
  });

  it('answers nothing where it is closed', async () => {
    const { source, answer } = review();
    source.close();
    expect(await answer).toBeUndefined();
  });
});
