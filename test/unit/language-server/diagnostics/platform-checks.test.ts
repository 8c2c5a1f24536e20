import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CancellationToken, Diagnostic } from 'vscode-languageserver/node';
import {
  languageOptionsChanged,
  type LanguageStatus,
  languageStatus,
  platformChanged,
  type PlatformVerdict,
  validateOnPlatform,
} from '#features/language/messages.ts';
import { FakeEngine, onSave, ORDERS, orders, started } from '#support/language/fake-engine.ts';
import { ROOT, type Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

const STRANGE = { message: 'orders cube: "dimensions.status.sql" is strange' };

function judged(...errors: { readonly message: string; readonly fileName?: string }[]): PlatformVerdict {
  return { branch: 'dev-ann', version: '1.6.2', state: 'compiled', errors };
}

/** A question of the server that the test answers. */
interface Question {
  readonly root: string;
  readonly token: CancellationToken;
  readonly answer: (verdict: PlatformVerdict | null) => void;
  readonly fail: () => void;
}

/** A client whose platform answers as the test says. */
class Platform {
  readonly asked: Question[] = [];
  #noticed: () => void = () => undefined;

  constructor(session: Session) {
    session.client.onRequest<PlatformVerdict | null, void>(
      validateOnPlatform,
      ({ root }: { readonly root: string }, token: CancellationToken) =>
        new Promise<PlatformVerdict | null>((answer, reject) => {
          this.asked.push({ root, token, answer, fail: () => reject(new Error('offline')) });
          this.#noticed();
        }),
    );
  }

  /** The question with a number from 0, once it was asked. */
  async question(number: number): Promise<Question> {
    for (;;) {
      const found = this.asked[number];
      if (found) return found;
      await new Promise<void>((resolve) => (this.#noticed = resolve));
    }
  }
}

function firstLine(message: Diagnostic['message']): string {
  return (typeof message === 'string' ? message : message.value).split('\n')[0] ?? '';
}

async function save(session: Session, uri: string): Promise<void> {
  await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
}

/** The messages of the next problems of a document, with the line that each is on. */
async function next(session: Session, uri: string, version = 1): Promise<string[]> {
  session.diagnostics.delete(uri);
  const found = await session.diagnosticsOf(uri, version);
  return found.map(
    ({ range, message }) => `${range.start.line} ${typeof message === 'string' ? message : message.value}`,
  );
}

/** The next status of the server that fulfils a condition. */
function status(session: Session, isIt: (status: LanguageStatus) => boolean): Promise<LanguageStatus> {
  return new Promise((resolve) => {
    session.client.onNotification(languageStatus, (found: LanguageStatus) => {
      if (isIt(found)) resolve(found);
    });
  });
}

async function opened(engine = new FakeEngine()): Promise<{ session: Session; platform: Platform; uri: string }> {
  const session = await started(engine);
  const platform = new Platform(session);
  const uri = await session.open('orders.yml');
  await session.diagnosticsOf(uri, 1);
  return { session, platform, uri };
}

describe('the validation by the platform', () => {
  // @shows validate-on-save (server)
  it('follows a save, and its problems name who found them', async () => {
    const { session, platform, uri } = await opened();
    const accepted = status(session, ({ engine }) => engine?.state === 'accepted');
    await save(session, uri);
    await accepted;
    const found = next(session, uri);
    const { root, answer } = await platform.question(0);
    answer(judged({ ...STRANGE, fileName: 'orders.yml' }));
    expect(await found).toEqual([
      '8 "dimensions.status.sql" is strange\nFound by the platform (engine 1.6.2). This machine (engine 1.7.43) accepts it.',
    ]);
    expect(orders.startsWith(`${root}/`)).toBe(true);
    session.dispose();
  });

  // @shows validate-on-save (server)
  it('shows once what both compilers find in one place', async () => {
    const engine = new FakeEngine();
    engine.errors = [STRANGE, { message: 'users cube: "sql_table" is unusual' }];
    const { session, platform, uri } = await opened(engine);
    const local = next(session, uri);
    await save(session, uri);
    expect(await local).toEqual(['8 "dimensions.status.sql" is strange', '11 "sql_table" is unusual']);
    const merged = next(session, uri);
    (await platform.question(0)).answer(judged({ message: 'orders cube: (dimensions.status.sql) is strange.' }));
    expect(await merged).toEqual([
      '8 "dimensions.status.sql" is strange\nFound on this machine (engine 1.7.43) and by the platform (engine 1.6.2).',
      '11 "sql_table" is unusual\nFound on this machine (engine 1.7.43). The platform (engine 1.6.2) accepts it.',
    ]);
    session.dispose();
  });

  // @shows validate-on-save (server)
  it('shows once what this machine finds and the platform lists among possible reasons', async () => {
    const engine = new FakeEngine();
    engine.errors = [{ message: 'orders cube: "dimensions.status.type" must be one of [string, number]' }];
    const { session, platform, uri } = await opened(engine);
    const local = next(session, uri);
    await save(session, uri);
    await local;
    const merged = next(session, uri);
    const reasons = [
      '(dimensions.status.type = a (b)) must be one of [string, number]',
      '(dimensions.status.case) is required',
    ];
    const message = `orders cube: "dimensions.status" does not match any of the allowed types\nPossible reasons (one of):\n\t* ${reasons.join('\n\t* ')}`;
    (await platform.question(0)).answer(judged({ message }));
    expect(await merged).toEqual([
      '9 "dimensions.status.type" must be one of [string, number]\nFound on this machine (engine 1.7.43) and by the platform (engine 1.6.2).',
    ]);
    session.dispose();
  });

  it('marks what the platform finds in a file of any name, and names files that are not here', async () => {
    const name = 'späte größe #1 100%.yml';
    const session = await started(new FakeEngine(), {
      'orders.yml': ORDERS,
      [encodeURIComponent(name)]: 'cubes: []\n',
    });
    const platform = new Platform(session);
    const uri = await session.open(encodeURIComponent(name));
    await session.diagnosticsOf(uri, 1);
    const first = await session.open('orders.yml');
    await session.diagnosticsOf(first, 1);
    await save(session, uri);
    const here = next(session, uri);
    const elsewhere = next(session, first);
    (await platform.question(0)).answer(
      judged({ message: 'Odd.', fileName: name }, { message: 'Strange.\nAt all.', fileName: 'cubes/new.yml' }),
    );
    expect((await here).map((line) => line.split('\n')[0])).toEqual(['0 Odd.']);
    expect((await elsewhere)[0]).toMatch(/^1 Strange\.\nAt all\. \(in cubes\/new\.yml\)\nFound by the platform/);
    session.dispose();
  });

  it('does not say that the platform accepts what it refuses elsewhere', async () => {
    const engine = new FakeEngine();
    engine.errors = [STRANGE];
    const { session, platform, uri } = await opened(engine);
    const local = next(session, uri);
    await save(session, uri);
    await local;
    const merged = next(session, uri);
    (await platform.question(0)).answer(judged({ message: 'Something is wrong.', fileName: 'cubes/new.yml' }));
    expect(await merged).toEqual(['8 "dimensions.status.sql" is strange\nFound on this machine (engine 1.7.43).']);
    session.dispose();
  });

  it('is silent where a check of our own marks the same member', async () => {
    const session = await started(new FakeEngine(), {
      'orders.yml': ORDERS.replace(
        'sql: id\n',
        yaml`
          sql: id
                  nope: 1
        `,
      ),
    });
    const platform = new Platform(session);
    const uri = await session.open('orders.yml');
    const [own] = await session.diagnosticsOf(uri, 1);
    const shown = status(session, ({ platform: report }) => report !== undefined);
    await save(session, uri);
    (await platform.question(0)).answer(judged({ message: 'orders cube: "dimensions.id.nope" is not allowed' }));
    expect((await shown).platform).toEqual([
      { branch: 'dev-ann', version: '1.6.2', verdict: { state: 'refused', errors: 1 } },
    ]);
    await session.request('textDocument/documentSymbol', uri);
    expect(session.diagnostics.get(uri)?.diagnostics).toEqual([own]);
    session.dispose();
  });

  // @shows cancellation (server)
  it('cancels the question of an earlier save, and its answer no longer counts', async () => {
    const { session, platform, uri } = await opened();
    await save(session, uri);
    const first = await platform.question(0);
    const cancelled = new Promise<void>((resolve) => first.token.onCancellationRequested(() => resolve()));
    await save(session, uri);
    await cancelled;
    const second = await platform.question(1);
    first.answer(judged({ message: 'orders cube: "dimensions.id.sql" is outdated' }));
    const found = next(session, uri);
    second.answer(judged(STRANGE));
    expect((await found).map((line) => line.split('\n')[0])).toEqual(['8 "dimensions.status.sql" is strange']);
    session.dispose();
  });

  it('takes its problems back when they are edited or the platform cannot be reached', async () => {
    const { session, platform, uri } = await opened();
    await save(session, uri);
    const marked = next(session, uri);
    (await platform.question(0)).answer(judged(STRANGE));
    expect(await marked).toHaveLength(1);
    const gone = next(session, uri);
    await save(session, uri);
    (await platform.question(1)).fail();
    expect(await gone).toEqual([]);
    await save(session, uri);
    const again = next(session, uri);
    (await platform.question(2)).answer(judged(STRANGE));
    expect(await again).toHaveLength(1);
    const edited = next(session, uri, 2);
    const at = { line: 8, character: 14 };
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: at, end: at }, text: 'x' }],
    });
    expect(await edited).toEqual([]);
    session.dispose();
  });

  it('shows each problem once, without what only terminals understand, wherever it says that it is', async () => {
    const session = await started(new FakeEngine(), { 'orders.yml': ORDERS, 'later.yml': 'cubes: []\n' });
    const platform = new Platform(session);
    const uri = await session.open('orders.yml');
    await session.diagnosticsOf(uri, 1);
    const other = await session.open('later.yml');
    await session.diagnosticsOf(other, 1);
    await save(session, uri);
    const found = next(session, uri);
    const elsewhere = next(session, other);
    const coloured = { message: '\u001B[31mOdd\u001B[0m.\u0000 \u202E!', fileName: 'orders' };
    const beyond = { message: 'Far. (in later.yml:99999999)' };
    const long = { message: `Long ${'x'.repeat(100_000)}`, fileName: 'orders.yml' };
    (await platform.question(0)).answer(
      judged(
        { ...STRANGE },
        { ...STRANGE },
        coloured,
        coloured,
        beyond,
        long,
        ...Array.from({ length: 400 }, () => STRANGE),
      ),
    );
    const lines = (await found).map((line) => line.split('\n')[0] ?? '');
    expect(lines.map((line) => line.slice(0, 40)).toSorted()).toEqual([
      '1 Long xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      '1 Odd. !',
      '8 "dimensions.status.sql" is strange',
    ]);
    expect((await elsewhere).map((line) => line.split('\n')[0])).toEqual(['1 Far. (in later.yml:99999999)']);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(4_100);
    session.dispose();
  });

  it('takes back what was found on a branch that the user has left, and ignores a late verdict on it', async () => {
    const { session, platform, uri } = await opened();
    await save(session, uri);
    const marked = next(session, uri);
    (await platform.question(0)).answer(judged(STRANGE));
    expect(await marked).toHaveLength(1);
    await save(session, uri);
    const late = await platform.question(1);
    const gone = next(session, uri);
    const cancelled = new Promise<void>((resolve) => late.token.onCancellationRequested(() => resolve()));
    await session.client.sendNotification(platformChanged, { isOtherBranch: true });
    expect(await gone).toEqual([]);
    await cancelled;
    late.answer(judged(STRANGE));
    await session.request('textDocument/documentSymbol', uri);
    expect(session.diagnostics.get(uri)?.diagnostics).toEqual([]);
    // The branch of now is validated without another save.
    const again = next(session, uri);
    (await platform.question(2)).answer(judged(STRANGE));
    expect(await again).toHaveLength(1);
    // A build that has finished changes nothing of it.
    await session.client.sendNotification(platformChanged, {});
    await session.request('textDocument/documentSymbol', uri);
    expect(session.diagnostics.get(uri)?.diagnostics).toHaveLength(1);
    session.dispose();
  });

  it('says in the status why a branch was not validated', async () => {
    const { session, platform, uri } = await opened();
    const shown = status(session, ({ platform: report }) => report !== undefined);
    await save(session, uri);
    const reason = '1 change of the folder is not on the branch.';
    (await platform.question(0)).answer({ branch: 'dev-ann', state: 'skipped', reason });
    expect((await shown).platform?.map(({ verdict }) => verdict)).toEqual([{ state: 'skipped', reason }]);
    session.dispose();
  });

  it('validates again when the client can, but not what a later save validates already', async () => {
    const { session, platform, uri } = await opened();
    const root = uri.slice(0, uri.lastIndexOf('/'));
    // Nothing was saved, so nothing waits.
    await session.client.sendNotification(platformChanged, { validate: root });
    await save(session, uri);
    const first = await platform.question(0);
    await session.client.sendNotification(platformChanged, { validate: root });
    await session.client.sendNotification(platformChanged, { validate: `${root}/elsewhere` });
    const told = status(session, ({ platform: reports }) => reports !== undefined);
    first.answer({ branch: 'dev-ann', state: 'skipped', reason: 'Busy.' });
    await told;
    const found = next(session, uri);
    await session.client.sendNotification(platformChanged, { validate: root });
    (await platform.question(1)).answer(judged(STRANGE));
    expect(await found).toHaveLength(1);
    expect(platform.asked).toHaveLength(2);
    session.dispose();
  });

  it('has a report on each of two models, and never shows one in the other', async () => {
    const session = await started(new FakeEngine(), { 'a/orders.yml': ORDERS, 'b/orders.yml': ORDERS });
    const roots = ['a', 'b'].map((name) => `${ROOT}/${name}`);
    await session.client.sendNotification(languageOptionsChanged, { roots, settings: onSave });
    const platform = new Platform(session);
    const [a, b] = [await session.open('a/orders.yml'), await session.open('b/orders.yml')];
    await session.diagnosticsOf(a, 1);
    await session.diagnosticsOf(b, 1);
    await save(session, a);
    await save(session, b);
    const questions = [await platform.question(0), await platform.question(1)];
    const ofRoot = (uri: string): Question | undefined => questions.find(({ root }) => uri.startsWith(`${root}/`));
    const both = status(session, ({ platform: reports }) => reports?.length === 2);
    const found = next(session, b);
    ofRoot(b)?.answer(judged(STRANGE));
    ofRoot(a)?.answer({ branch: 'dev-bob', state: 'compiled', errors: [] });
    expect((await both).platform).toEqual([
      { branch: 'dev-bob', verdict: { state: 'accepted' } },
      { branch: 'dev-ann', version: '1.6.2', verdict: { state: 'refused', errors: 1 } },
    ]);
    expect(await found).toHaveLength(1);
    expect(session.diagnostics.get(a)?.diagnostics).toEqual([]);
    session.dispose();
  });

  it('shows the answer to the last save, in whatever order saves and answers come', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'save' as const }),
      fc.record({ kind: fc.constant('answer' as const), of: fc.nat(8), errors: fc.boolean() }),
      fc.record({ kind: fc.constant('fail' as const), of: fc.nat(8) }),
      fc.constant({ kind: 'switch' as const }),
      fc.constant({ kind: 'again' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { session, platform, uri } = await opened();
        const root = uri.slice(0, uri.lastIndexOf('/'));
        const change = (params: object): Promise<void> => session.client.sendNotification(platformChanged, params);
        for (const each of steps) {
          if (each.kind === 'save') await save(session, uri);
          else if (each.kind === 'switch') await change({ isOtherBranch: true });
          else if (each.kind === 'again') await change({ validate: root });
          else if (each.kind === 'fail') platform.asked[each.of]?.fail();
          else platform.asked[each.of]?.answer(judged(...(each.errors ? [{ message: 'Early.' }] : [])));
          await session.request('textDocument/documentSymbol', uri);
        }
        const asked = platform.asked.length;
        await save(session, uri);
        const last = await platform.question(asked);
        last.answer(judged(STRANGE));
        const shown = (): readonly string[] =>
          (session.diagnostics.get(uri)?.diagnostics ?? []).map(({ message }) => firstLine(message));
        // The server waits a moment before it shows them: to ask it meanwhile was most of the work of this file.
        while (shown().join('\n') !== '"dimensions.status.sql" is strange') await next(session, uri);
        // What is answered now comes too late: the server reports nothing of it.
        const reports: LanguageStatus[] = [];
        session.client.onNotification(languageStatus, (report: LanguageStatus) => void reports.push(report));
        const late = judged({ message: 'Late.' }, { message: 'Later.' });
        for (const question of platform.asked.slice(0, asked)) question.answer(late);
        await session.request('textDocument/documentSymbol', uri);
        expect(shown()).toEqual(['"dimensions.status.sql" is strange']);
        expect(reports.filter((report) => JSON.stringify(report.platform)?.includes('"errors":2'))).toEqual([]);
        session.dispose();
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    '(in orders.yml:0)',
    '(in orders.yml:-1)',
    '(in orders.yml:NaN)',
    '(in orders.yml:99999999999999999999)',
    '(0:0)',
    '(-1:-1)',
    '(999999:1)',
    '(NaN:NaN)',
  ])('shows an error with the position %s in the file that it names', async (position) => {
    const { session, platform, uri } = await opened();
    await save(session, uri);
    const found = next(session, uri);
    (await platform.question(0)).answer(judged({ message: `Odd ${position}`, fileName: 'orders.yml' }));
    expect((await found).map((line) => line.split('\n')[0])).toEqual([expect.stringMatching(/^\d+ Odd/)]);
    session.dispose();
  });

  it('shows the first of ten thousand errors, and counts all of them', async () => {
    const { session, platform, uri } = await opened();
    await save(session, uri);
    const told = status(session, ({ platform: reports }) => reports !== undefined);
    const found = next(session, uri);
    const errors = Array.from({ length: 10_000 }, (_, at) => ({
      message: `Odd ${at}.`,
      fileName: `cubes/${at % 700}.yml`,
    }));
    (await platform.question(0)).answer(judged(...errors));
    expect((await told).platform).toMatchObject([{ verdict: { state: 'refused', errors: 10_000 } }]);
    expect(await found).toHaveLength(500);
    session.dispose();
  });
});
