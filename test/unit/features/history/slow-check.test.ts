import { describe, expect, it } from 'vitest';
import { commitStep } from '#features/history/commit.ts';
import type { ReviewDocument } from '#features/review/messages.ts';
import { changedFile, type Intercept, type OnPage, openStepDesk, type OpenPage } from '#support/step-desk.ts';

const checking = /^Checking whether the files of dev-\S+ compile…$/;

/** A platform that compiles a branch only when `answer` is called, once for each request; `asked`: the requests so far. */
function slowPlatform() {
  const asked: Request[] = [];
  const answers: PromiseWithResolvers<Response | undefined>[] = [];
  const answerTo = (at: number): PromiseWithResolvers<Response | undefined> =>
    (answers[at] ??= Promise.withResolvers());
  let answered = 0;
  const intercept: Intercept = async (request, send) => {
    if (!request.url.includes('/validate')) return send(request);
    const { promise, reject } = answerTo(asked.push(request) - 1);
    request.signal.addEventListener('abort', () => reject(request.signal.reason));
    return (await promise) ?? send(request);
  };
  return { asked, intercept, answer: (response?: Response) => answerTo(answered++).resolve(response) };
}

function shown({ source }: OpenPage): Pick<ReviewDocument, 'action' | 'confirmation' | 'warnings'> & {
  readonly build: string | undefined;
  readonly link: string | undefined;
} {
  const { value } = source.document;
  if (!value) throw new Error('The page is closed.');
  const build = value.sections.find(({ id }) => id === 'build');
  return { ...value, build: build?.summary, link: build?.link?.label };
}

/** Opens the page of a commit to production on a slow platform, and does this there. */
async function commitOn(onPage: (page: OpenPage, platform: ReturnType<typeof slowPlatform>) => Promise<void>) {
  const platform = slowPlatform();
  const next: OnPage = async (page) => onPage(page, platform);
  const desk = await openStepDesk([next, next], platform);
  return { desk, platform, run: async () => commitStep(desk.ports, desk.dev, {}) };
}

describe('the page of a commit while the platform compiles the branch', () => {
  it('is open, lists the files, and says why it cannot be sent yet', async () => {
    const { run, desk } = await commitOn(async (page) => {
      expect(page.source.document.value?.groups[0]?.rows.map(({ path }) => path)).toEqual([changedFile]);
      expect(shown(page)).toMatchObject({
        build: expect.stringMatching(checking) as string,
        link: 'Continue Without the Check',
        action: { label: 'Commit to main (production)', whyNot: expect.stringMatching(checking) as string },
        warnings: [],
      });
      expect(shown(page).confirmation).toBeUndefined();
      return Promise.resolve();
    });
    expect(await run()).toBe(false);
    expect(desk.log.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('is sent with one press once the files compile, and they are compiled once', async () => {
    const { run, platform, desk } = await commitOn(async (page, { answer }) => {
      answer();
      expect(await page.ready()).toBe('');
      expect(shown(page).build).toMatch(/^The files of dev-\S+ compile\.$/);
      await page.press();
    });
    expect(await run()).toBe(true);
    expect(platform.asked).toHaveLength(1);
    expect(desk.asked).toEqual(['Commit to main (production)?']);
  });

  it('wants the name of the deployment where they do not compile', async () => {
    const { run } = await commitOn(async (page, { answer }) => {
      answer(Response.json({ valid: false, errors: [{ message: 'orders.yml: no such column' }] }));
      expect(await page.ready()).toBe('Shop analytics');
      expect(shown(page)).toMatchObject({ warnings: [{ id: 'failed', severity: 'error' }] });
      await page.press();
    });
    expect(await run()).toBe(true);
  });

  it('is left with Cancel, which ends the request', async () => {
    const { run, platform } = await commitOn(async ({ source }, { asked }) => {
      await expect.poll(() => asked.length).toBe(1);
      source.close();
    });
    expect(await run()).toBe(false);
    expect(platform.asked.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('can be sent without the check by typing the name of the deployment', async () => {
    const { run, platform, desk } = await commitOn(async (page) => {
      await page.source.run?.('skip check');
      expect(await page.ready()).toBe('Shop analytics');
      expect(shown(page)).toMatchObject({ action: { whyNot: '' }, warnings: [{ id: 'unchecked' }] });
      await page.press();
    });
    expect(await run()).toBe(true);
    expect(platform.asked).toHaveLength(1);
    expect(desk.asked).toEqual(['Commit to main (production)?']);
  });

  it('shows the verdict that comes after the check was skipped', async () => {
    const { run } = await commitOn(async (page, { answer }) => {
      await page.source.run?.('skip check');
      answer(Response.json({ valid: false, errors: [] }));
      await expect.poll(() => shown(page).warnings.map(({ id }) => id)).toEqual(['failed']);
    });
    expect(await run()).toBe(false);
  });

  it.each([503, 400])(
    'says that it is not known where the check is answered with %s, and can check again',
    async (status) => {
      const { run, platform } = await commitOn(async (page, { answer }) => {
        answer(new Response('{"error":"Not now"}', { status }));
        expect(await page.ready()).toBe('Shop analytics');
        expect(shown(page).link).toBe('Check Again');
        const again = page.source.run?.('check again');
        expect(shown(page).build).toMatch(checking);
        await expect.poll(() => platform.asked.length).toBe(2);
        answer();
        await again;
        expect(await page.ready()).toBe('');
      });
      expect(await run()).toBe(false);
    },
  );
});
