import { describe, expect, it } from 'vitest';
import { fileReview } from '#features/folders/file-review.ts';
import { reviewRow } from '#support/review.ts';

const input = { message: '', options: [], typed: '' };

function review() {
  return fileReview({
    key: 'trash',
    title: 'Restore from trash: shop',
    from: 'trash',
    to: 'shop',
    heading: 'Restore',
    rows: [reviewRow('model/a.yml', { kind: 'add' }), reviewRow('model/b.yml')],
    button: (files) => `Restore ${files}`,
    texts: async (id) => Promise.resolve({ before: undefined, after: id }),
    diff: async () => Promise.resolve(),
  });
}

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

  it('cannot be confirmed where nothing is ticked', () => {
    const { source } = review();
    source.tick(['model/a.yml', 'model/b.yml'], false);
    expect(source.document.value?.action).toEqual({ label: 'Restore 0 Files', whyNot: 'Tick at least one file.' });
    source.tick(['model/unknown.yml', 'model/a.yml'], true);
    expect(source.document.value?.ticked).toEqual(new Set(['model/a.yml']));
  });

  it('answers nothing where it is closed', async () => {
    const { source, answer } = review();
    source.close();
    expect(await answer).toBeUndefined();
  });
});
