import { describe, expect, it } from 'vitest';
import { changedQuestion, publishQuestion } from '#features/dashboards/publish-question.ts';
import type { PlatformData } from '#features/platform/index.ts';

const workbook = { target: { accountId: 'a', deploymentId: '1' }, id: '7', name: 'Weekly' };
const dashboard = (title: string, count = 0): object => ({
  title,
  widgets: Array.from({ length: count }, (_, at) => ({ id: `w${at}`, type: 'TEXT' })),
});

/** What is asked where the platform has this draft and published dashboard. */
async function ask(draft: object | undefined, published?: object, isOlder = false) {
  const answer = { dashboardDraft: draft, dashboardPublished: published };
  const data = { client: () => ({ call: async () => Promise.resolve(answer) }) } as unknown as PlatformData;
  return publishQuestion(data, workbook, () => isOlder);
}

describe('publishQuestion', () => {
  it('refuses where there is no draft', async () => {
    await expect(ask(undefined)).rejects.toThrow('“Weekly” has no draft to publish.');
  });

  it('offers no comparison where nothing was published', async () => {
    const question = { text: 'Publish the draft of “Weekly”?', detail: 'for the first time', draft: undefined };
    expect(await ask(dashboard('A'))).toMatchObject(question);
  });

  it('says that nothing differs', async () => {
    const { detail } = await ask(dashboard('A'), dashboard('A'));
    expect(detail).toBe('no difference from the published version');
  });

  it('names four changes and counts the others', async () => {
    const { detail, draft } = await ask(dashboard('B', 6), dashboard('A'));
    expect(detail).toMatchInlineSnapshot(
      `"7 changes: title · widget “w0” added · widget “w1” added · widget “w2” added · and 3 more"`,
    );
    expect(draft).toEqual(dashboard('B', 6));
  });

  it('warns of a draft that is newer than the editor’s', async () => {
    const { text } = await ask(dashboard('B'), dashboard('A'), true);
    expect(text).toBe('Someone saved a newer draft of “Weekly” than your editor shows. Publish theirs?');
  });
});

describe('changedQuestion', () => {
  it('asks nothing again where the platform has what was shown', async () => {
    const shown = [dashboard('B'), dashboard('A')] as const;
    expect(changedQuestion(await ask(...shown), await ask(...shown))).toBeUndefined();
  });

  it.each([
    ['a colleague has saved another draft', dashboard('C'), dashboard('A')],
    ['another version was published', dashboard('B'), dashboard('C')],
    ['nothing is published any more', dashboard('B'), undefined],
  ])('asks about what is there now where %s', async (_change, draft, published) => {
    const asked = await ask(dashboard('B'), dashboard('A'));
    const current = await ask(draft, published);
    expect(changedQuestion(asked, current)).toMatchObject({
      text: 'This has changed since you confirmed it. Publish the draft of “Weekly”?',
      detail: current.detail,
    });
  });
});
