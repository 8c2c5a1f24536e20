import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DraftDocuments } from '#features/dashboards/vscode/draft-documents.ts';
import { publish } from '#features/dashboards/vscode/publish.ts';
import type { PlatformData } from '#features/platform/index.ts';
import { escape, pick } from '../../../../vscode/answers.ts';
import { User } from '../../../../vscode/user.ts';

let user: User;
beforeEach(() => {
  user = new User();
});
afterEach(() => user.leave());

const workbook = { target: { accountId: 'a', deploymentId: '1' }, id: '7', name: 'Weekly' };
const published = { title: 'A', widgets: [] };

/** A platform whose draft has these titles, one at each read; the last one stays. */
function platformWith(...titles: readonly string[]) {
  const left = [...titles];
  const sent: unknown[] = [];
  const read = (): unknown => {
    const title = left.length > 1 ? left.shift() : left[0];
    return { dashboardDraft: { title, widgets: [] }, dashboardPublished: published };
  };
  const call = async ({ method }: { readonly method: string }, request: unknown): Promise<unknown> =>
    Promise.resolve(method === 'GET' ? read() : void sent.push(request));
  const data = { client: () => ({ call }) } as unknown as PlatformData;
  const drafts = { uriOf: () => undefined, isOlderThan: () => false } as unknown as DraftDocuments;
  const objects = { hasChanges: async () => Promise.resolve(false) };
  const run = async (): Promise<void> => publish({ data, objects } as never, drafts, workbook);
  return { run, sent };
}

describe('Publish Dashboard', () => {
  it('publishes what its question has shown', async () => {
    const { run, sent } = platformWith('B');
    await user.answering(run, pick('Publish'));
    expect(sent).toHaveLength(1);
  });

  it('publishes nothing without an answer', async () => {
    const { run, sent } = platformWith('B');
    await user.answering(run, escape);
    expect(sent).toEqual([]);
  });

  it('asks again about a draft that was saved while its question was open', async () => {
    const { run, sent } = platformWith('B', 'C');
    await user.answering(run, pick('Publish'), escape);
    expect(sent).toEqual([]);
    const again = platformWith('B', 'C');
    await user.answering(again.run, pick('Publish'), pick('Publish'));
    expect(again.sent).toHaveLength(1);
  });
});
