import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { getWorkbookDashboard, updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import { draftProblems, problemSummary } from '#features/dashboards/draft-problems.ts';
import { type DraftLocation, saveDraft } from '#features/dashboards/save-draft.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';
import { openDesk } from '#support/features.ts';
import { errorOf, send } from '#support/platform.ts';

const place = { x: 0, y: 0, w: 1, h: 1 };
const messages = (draft: unknown): readonly string[] => draftProblems(draft).map(({ message }) => message);

describe('problems of a draft', () => {
  it('name the field, and there is none in a good draft', () => {
    expect(
      messages({ title: null, widgets: [{ id: 'a', type: 'CHART', position: place, config: { any: 1 } }] }),
    ).toEqual([]);
    expect(messages({ widgets: [{ id: 'a', type: 'PIE', position: { x: 0, y: 0.5, w: 1 } }] })).toEqual([
      'widgets[0].type must be one of CHART, TEXT, FILTER, AI, TIME_GRAIN, SPACER, DIVIDER, CONTAINER',
      'widgets[0].position.y must be a whole number',
      'widgets[0].position.h is missing',
    ]);
    expect(messages({ colour: 'red' })).toEqual(['colour is not a field of a dashboard']);
    expect(messages([])).toEqual(['The dashboard must be an object']);
    expect(messages('x')).toEqual(['The dashboard must be an object']);
  });

  it.each([
    [
      { widgets: [{ id: 'x'.repeat(129), type: 'AI', position: place }] },
      'widgets[0].id must have at most 128 characters',
    ],
    [{ widgets: [{ id: '', type: 'AI', position: place }] }, 'widgets[0].id must not be empty'],
    [{ app: { entry: 'x'.repeat(256) } }, 'app.entry must have at most 255 characters'],
    [{ kind: 'MODERN' }, 'kind must be one of CLASSIC, APP'],
    [{ layout: { cols: { lg: '12' } } }, 'layout.cols.lg must be a whole number'],
    [
      { widgets: [{ id: 'a', type: 'AI', position: place, responsiveLayouts: { sm: { x: 1 } } }] },
      'widgets[0].responsiveLayouts.sm.y is missing',
    ],
  ])('are %#: each constraint of docs/platform-api.md#dashboard-configuration', (draft, message) => {
    expect(messages(draft)).toContain(message);
  });

  it('leave what the platform served as it is, wherever its widget moved to', () => {
    const served = {
      theme: { shadow: 'soft' },
      beta: true,
      widgets: [
        { id: 'x'.repeat(200), type: 'HOLOGRAM', position: { ...place, z: 3 }, responsiveLayouts: { xl: place } },
        'not a widget',
        { id: 'a', type: 'TEXT' },
      ],
    };
    const mine = {
      ...served,
      title: 'New',
      widgets: [{ id: 'new', type: 'TEXT', position: place }, ...served.widgets],
    };
    const isError = ({ severity }: { readonly severity: string }) => severity === 'error';
    expect(draftProblems(served).filter(isError)).not.toEqual([]);
    expect(draftProblems(mine, served).filter(isError)).toEqual([]);
    const broken = { ...mine, theme: { shadow: 'hard' }, widgets: [{ id: 'new', type: 'TEXT' }, ...served.widgets] };
    expect(
      draftProblems(broken, served)
        .filter(isError)
        .map(({ message }) => message),
    ).toEqual(['theme.shadow is not a field of a dashboard', 'widgets[0].position is missing']);
  });

  it('warn about an id that two widgets have', () => {
    const widgets = [1, 2].map(() => ({ id: 'a', type: 'TEXT', position: place }));
    expect(draftProblems({ widgets })).toEqual([
      {
        message: 'widgets[1].id: “a” is the id of another widget too',
        path: ['widgets', 1, 'id'],
        severity: 'warning',
      },
    ]);
  });

  it('are counted where they are many', () => {
    const problems = draftProblems({ title: 1, description: 1, kind: 1, layout: 1, theme: 1 });
    expect(problemSummary(problems)).toMatch(/^[^;]+ must be [^;]+; [^;]+; [^;]+; and 2 more$/);
  });
});

describe('saving a draft on the platform', () => {
  async function open() {
    const { client, platform } = await openDesk();
    const params = { deploymentId: platform.control.demo.shop, workbookId: 1 };
    const read = async () => (await client.call(getWorkbookDashboard, { params })).dashboardDraft ?? undefined;
    let writes = 0;
    const drafts: DraftLocation = {
      read,
      write: async (draft) => {
        writes += 1;
        const body = { dashboardDraft: draft as never };
        return (await client.call(updateWorkbookDashboard, { params, body })).dashboardDraft;
      },
    };
    /** What a colleague saves meanwhile. */
    const colleague = async (draft: unknown): Promise<void> => {
      const answer = await send(platform, updateWorkbookDashboard, {
        params,
        body: { dashboardDraft: draft as never },
      });
      if (answer.status !== 200) throw new Error(errorOf(answer));
    };
    return { drafts, read, colleague, base: (await read()) as unknown as Draft, writes: () => writes };
  }

  it('replaces the draft that was read', async () => {
    const { drafts, read, base } = await open();
    const mine = { ...base, title: 'Mine' };
    expect(await saveDraft(drafts, { base, mine })).toEqual({ kind: 'saved', merged: false, draft: mine });
    expect(await read()).toEqual(mine);
  });

  it('sends a draft with fields of a newer platform as it came', async () => {
    const draft = { title: 'A', theme: { shadow: 'soft' }, widgets: [{ id: 'x'.repeat(200), type: 'HOLOGRAM' }] };
    const sent: unknown[] = [];
    const { client } = new ClientUnderTest(async (request) => {
      const body: unknown = request.method === 'PUT' ? await request.json() : { dashboardDraft: draft };
      if (request.method === 'PUT') sent.push(body);
      return json(body);
    });
    const params = { deploymentId: '1', workbookId: '1' };
    const read = async () => (await client.call(getWorkbookDashboard, { params })).dashboardDraft;
    const write = async (value: unknown) =>
      (await client.call(updateWorkbookDashboard, { params, body: { dashboardDraft: value as never } })).dashboardDraft;
    const base = await read();
    expect(base).toEqual(draft);
    const mine = { ...base, title: 'B' };
    const saved = { kind: 'saved', merged: false, draft: { ...draft, title: 'B' } };
    expect(await saveDraft({ read, write }, { base, mine })).toEqual(saved);
    expect(sent).toEqual([{ dashboardDraft: { ...draft, title: 'B' } }]);
  });

  it('merges what a colleague saved meanwhile', async () => {
    const { drafts, read, base, colleague } = await open();
    await colleague({ ...base, description: 'Theirs' });
    const outcome = await saveDraft(drafts, { base, mine: { ...base, title: 'Mine' } });
    const draft = { ...base, title: 'Mine', description: 'Theirs' };
    expect(outcome).toEqual({ kind: 'saved', merged: true, draft });
    expect(await read()).toEqual(draft);
  });

  it('sends nothing when both changed the same, and says where', async () => {
    const { drafts, read, base, colleague, writes } = await open();
    const moved = (x: number, y: number) => ({
      ...base,
      widgets: base.widgets.map((each, at) => (at === 0 ? { ...each, position: { ...each.position, x, y } } : each)),
    });
    const theirs = { ...moved(3, 0), description: 'Theirs' };
    await colleague(theirs);
    const outcome = await saveDraft(drafts, { base, mine: moved(0, 9) });
    const at = (x: number, y: number): object => ({ x, y, w: 12, h: 1 });
    expect(outcome).toEqual({
      kind: 'conflicts',
      conflicts: [{ path: 'widgets[heading].position', base: at(0, 0), mine: at(0, 9), theirs: at(3, 0) }],
      merged: { ...moved(0, 9), description: 'Theirs' },
      theirs,
    });
    expect(writes()).toBe(0);
    expect(await read()).toEqual(theirs);
  });

  it('merges a draft that came between the look and the write, where the server refuses that', async () => {
    const { drafts, read, base, colleague } = await open();
    let quick = true;
    const write = async (draft: unknown): Promise<unknown> => {
      if (!quick) return drafts.write(draft);
      quick = false;
      await colleague({ ...base, description: 'Quicker' });
      throw new PlatformError({ kind: 'conflict', operation: 'updateWorkbookDashboard', message: 'A newer draft' });
    };
    const outcome = await saveDraft({ ...drafts, write }, { base, mine: { ...base, title: 'Mine' } });
    const draft = { ...base, title: 'Mine', description: 'Quicker' };
    expect(outcome).toEqual({ kind: 'saved', merged: true, draft });
    expect(await read()).toEqual(draft);
  });

  it('says a conflict of another kind as it is, and does not try for ever', async () => {
    const { drafts, base } = await open();
    let writes = 0;
    const write = (): Promise<unknown> => {
      writes += 1;
      return Promise.reject(new PlatformError({ kind: 'conflict', operation: 'x', message: 'It is locked' }));
    };
    await expect(saveDraft({ ...drafts, write }, { base, mine: { ...base, title: 'Mine' } })).rejects.toThrow('locked');
    expect(writes).toBe(1);
  });

  it('sends nothing when a colleague made the same change', async () => {
    const { drafts, base, colleague, writes } = await open();
    const mine = { ...base, title: 'Same' };
    await colleague(mine);
    expect(await saveDraft(drafts, { base, mine })).toEqual({ kind: 'saved', merged: true, draft: mine });
    expect(writes()).toBe(0);
  });

  it('does not ask the platform about a draft that is wrong', async () => {
    const asked = () => Promise.reject(new Error('was asked'));
    const outcome = await saveDraft({ read: asked, write: asked }, { base: {}, mine: { widgets: [{}] } });
    const missing = ['id', 'type', 'position'].map((field) => ({
      message: `widgets[0].${field} is missing`,
      path: ['widgets', 0, field],
      severity: 'error',
    }));
    expect(outcome).toEqual({ kind: 'invalid', problems: missing });
  });

  it('starts a draft where there was none', async () => {
    const written: unknown[] = [];
    const empty: DraftLocation = {
      read: () => Promise.resolve(undefined),
      write: (draft) => Promise.resolve(written.push(draft) && draft),
    };
    await saveDraft(empty, { base: undefined, mine: { title: 'New' } });
    expect(written).toEqual([{ title: 'New' }]);
  });
});

interface Draft {
  readonly widgets: readonly { readonly id: string; readonly position: object }[];
}
