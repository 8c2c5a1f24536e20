import { describe, expect, it } from 'vitest';
import { OpenDraft } from '#features/dashboards/open-draft.ts';
import { draftPath, OpenDrafts } from '#features/dashboards/open-drafts.ts';
import type { ConflictDecision } from '#features/dashboards/decide-draft.ts';

const draft = (title: string) => ({ title, layout: { cols: { lg: 12 }, rowHeight: 30 }, widgets: [] });
const target = { accountId: 'a', deploymentId: '1' };
const weekly = { target, id: '7', name: 'Weekly / sales' };

/** A draft in a document; `platform.now` is what the platform has, `log` what saving it did in the window. */
function opened(now: unknown, decision?: ConflictDecision) {
  const platform = { now, written: [] as unknown[] };
  const location = {
    read: async () => Promise.resolve(platform.now),
    write: async (sent: unknown) => {
      platform.written.push(sent);
      platform.now = sent;
      return Promise.resolve(sent);
    },
  };
  const log: string[] = [];
  const editor = {
    decide: async (name: string, conflicts: readonly { readonly path: string }[]) => {
      log.push(`asked about ${conflicts.map(({ path }) => path).join(', ')} of ${name}`);
      return Promise.resolve(decision);
    },
    mark: (problems: readonly { readonly message: string }[]) =>
      log.push(`marked ${problems.map(({ message }) => message).join(', ') || 'nothing'}`),
    compare: (sides: unknown) => log.push(`compared ${JSON.stringify(sides)}`),
    report: (message: string) => log.push(message),
  };
  const open = new OpenDraft(weekly, location);
  return { open, platform, log, save: async (mine: unknown) => open.save(mine, editor) };
}

describe('an open draft', () => {
  it('shows an empty dashboard where the workbook has none, and saves what becomes of it', async () => {
    const { open, platform, save, log } = opened(undefined);
    expect(await open.read()).toEqual(draft(''));
    expect(await save(draft('mine'))).toBeUndefined();
    expect(platform.written).toEqual([draft('mine')]);
    expect(log).toEqual(['$(check) Draft of “Weekly / sales” saved, not published yet', 'marked nothing']);
  });

  it('says that it was merged, and shows both changes', async () => {
    const { open, platform, save, log } = opened(draft('base'));
    await open.read();
    platform.now = { ...draft('base'), layout: { cols: { lg: 6 }, rowHeight: 30 } };
    const merged = { ...draft('mine'), layout: { cols: { lg: 6 }, rowHeight: 30 } };
    expect(await save(draft('mine'))).toEqual(merged);
    expect(log).toEqual(['$(check) Draft of “Weekly / sales” merged and saved, not published yet', 'marked nothing']);
  });

  it('marks what keeps it from being saved', async () => {
    const { open, platform, save, log } = opened(draft('base'));
    await open.read();
    await expect(save({ ...draft('mine'), widgets: 1 })).rejects.toThrow(/^Nothing was saved: /);
    expect(platform.written).toEqual([]);
    expect(log).toEqual(['marked widgets must be a list']);
  });

  it.each([
    ['gives up', undefined, 'the platform has a newer draft', []],
    ['compares', 'compare', 'choose in the comparison', ['compared {"mine":"mine","merged":"mine","theirs":"theirs"}']],
  ] as const)('keeps the change in the document where the user %s', async (_, decision, reason, compared) => {
    const { open, platform, save, log } = opened(draft('base'), decision);
    await open.read();
    platform.now = draft('theirs');
    await expect(save(draft('mine'))).rejects.toThrow(reason);
    expect(platform.written).toEqual([]);
    const titles = log.map((line) => line.replaceAll(/\{"title":("\w+"),"layout".*?"widgets":\[\]\}/g, '$1'));
    expect(titles).toEqual(['asked about title of Weekly / sales', ...compared]);
  });

  it('is saved over the other side’s draft once the comparison is in the document', async () => {
    const { open, platform, save } = opened(draft('base'), 'compare');
    await open.read();
    platform.now = draft('theirs');
    await expect(save(draft('mine'))).rejects.toThrow('choose in the comparison');
    const sides = { mine: draft('mine'), merged: draft('mine'), theirs: draft('theirs') };
    expect(await open.offer(sides, async () => Promise.resolve(true))).toBe(true);
    await save(draft('mine'));
    expect(platform.written).toEqual([draft('mine')]);
  });

  it('asks again where the comparison could not be shown', async () => {
    const { open, platform, save, log } = opened(draft('base'), undefined);
    await open.read();
    platform.now = draft('theirs');
    const sides = { mine: draft('mine'), merged: draft('mine'), theirs: draft('theirs') };
    expect(await open.offer(sides, async () => Promise.resolve(false))).toBe(false);
    await expect(save(draft('other'))).rejects.toThrow('newer draft');
    expect(log).toEqual(['asked about title of Weekly / sales']);
  });

  it('is older than any draft that it was not made from', async () => {
    const { open } = opened(draft('base'));
    await open.read();
    expect([draft('base'), draft('newer')].map((each) => open.isOlderThan(each))).toEqual([false, true]);
  });

  it('merges edits that outlived a reload with what they were made from', async () => {
    const { open, platform, save } = opened(draft('theirs'));
    await open.read();
    open.restored(draft('base'));
    platform.now = { ...draft('base'), layout: { cols: { lg: 6 }, rowHeight: 30 } };
    expect(await save(draft('mine'))).toEqual({ ...draft('mine'), layout: { cols: { lg: 6 }, rowHeight: 30 } });
  });
});

describe('the open drafts', () => {
  it('have one address for each workbook, whatever it is called later', () => {
    const drafts = new OpenDrafts(() => ({ read: async () => undefined, write: async (sent) => sent }));
    const begun = drafts.begin('draft:/one', weekly);
    expect(drafts.addressOf({ ...weekly, name: 'Renamed' })).toBe('draft:/one');
    expect(drafts.addressOf({ ...weekly, target: { accountId: 'b', deploymentId: '1' } })).toBeUndefined();
    expect(drafts.addressOf({ ...weekly, id: '8' })).toBeUndefined();
    expect(drafts.at('draft:/one')).toBe(begun);
    drafts.clear();
    expect(drafts.at('draft:/one')).toBeUndefined();
  });

  it('have paths that distinguish copies of a workbook', () => {
    expect(draftPath(weekly, 'Shop', 'dashboard.json')).toBe('/Shop 1/workbook 7/Weekly - sales.dashboard.json');
  });
});
