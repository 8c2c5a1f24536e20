import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultLanguageSettings, type LanguageSettings, renderTemplates } from '#features/language/messages.ts';
import { templateProcess } from '#language-server/engine/template-process.ts';
import type { TemplateEngine } from '#language-server/host.ts';
import { jinja } from '#support/language/raw.ts';
import { templates } from '#support/language/rendered.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { bundleOptions } from '../../../../esbuild.mjs';
import { longestWait } from '../../../tools/limits.ts';

const folder = mkdtempSync(join(tmpdir(), 'templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEMPLATE = jinja`
  cubes:
    - name: events
      sql_table: events
      measures:
        {%- for kind in ['click', 'view'] %}
        - name: {{ kind | safe }}s
          type: count
        {%- endfor %}
`;
const plain = (member: string): string => jinja`
  cubes:
    - name: orders
      sql_table: orders
      measures:
        - name: ratio
          sql: "{events.${member}}"
          type: number
`;

/** An engine that renders while the test lets it. */
class HeldEngine implements TemplateEngine {
  #isHeld = true;
  #waiting: (() => void)[] = [];
  asked = 0;

  render: TemplateEngine['render'] = async (questions) => {
    this.asked++;
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return templates.render(questions);
  };

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const settings: LanguageSettings = { ...defaultLanguageSettings, engineCheck: 'onCommand' };
const started = async (engine: TemplateEngine, own: LanguageSettings = settings): Promise<Session> =>
  Session.start({ 'events.yml.jinja': TEMPLATE, 'orders.yml': plain('taps') }, { settings: own }, [], undefined, {
    templates: engine,
  });
const messages = (session: Session): readonly string[] =>
  (session.diagnostics.get(`${ROOT}/orders.yml`)?.diagnostics ?? [])
    .filter(({ code }) => code === 'unknown-reference')
    .map(({ message }) => (typeof message === 'string' ? message : message.value));
/** Replaces the text of an open document; resolves when the server has read it. */
async function edit(session: Session, uri: string, text: string): Promise<void> {
  await session.client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text }],
  });
  await session.request('textDocument/hover', uri, { position: { line: 0, character: 0 } });
}
const MISSING = ['`events` has no member `taps`.'];

describe('rendered templates', () => {
  // @shows templates
  it('let names be called missing as soon as they are rendered, and not before', async () => {
    const engine = new HeldEngine();
    const session = await started(engine);
    await expect.poll(() => engine.asked).toBe(1);
    expect(messages(session)).toEqual([]);
    engine.release();
    await expect.poll(() => messages(session)).toEqual(MISSING);
    session.dispose();
  });

  // @shows templates
  it('are made of the templates of another branch on request, where templates may be rendered', async () => {
    const questions = [{ name: 'a.yml.jinja', marked: '{{ 1 + 1 }}', plain: '{{ 1 + 1 }}' }];
    const session = await started(templates);
    expect(await session.client.sendRequest(renderTemplates, { questions })).toEqual([{ marked: '2', plain: '2' }]);
    session.dispose();
    const restricted = await started(templates, { ...settings, renderTemplates: false });
    expect(await restricted.client.sendRequest(renderTemplates, { questions })).toBeNull();
    restricted.dispose();
  });

  it('count while the template is edited, until it is rendered again', async () => {
    const engine = new HeldEngine();
    const session = await started(engine);
    engine.release();
    await expect.poll(() => messages(session)).toEqual(MISSING);
    engine.hold();
    const uri = await session.open('events.yml.jinja');
    await edit(session, uri, TEMPLATE.replace('view', 'tap'));
    expect(messages(session)).toEqual(MISSING);
    engine.release();
    await expect.poll(() => messages(session)).toEqual([]);
    session.dispose();
  });

  it('count also where models are not compiled', async () => {
    const engine = new HeldEngine();
    engine.release();
    const session = await started(engine, { ...settings, engineCheck: 'off' });
    await expect.poll(() => messages(session)).toEqual(MISSING);
    session.dispose();
  });

  it('are not asked for in a workspace that is not trusted', async () => {
    const engine = new HeldEngine();
    const session = await started(engine, { ...settings, renderTemplates: false });
    const uri = await session.open('events.yml.jinja');
    await edit(session, uri, `${TEMPLATE}\n`);
    expect(engine.asked).toBe(0);
    expect(messages(session)).toEqual([]);
    session.dispose();
  });

  it('are left out where the engine fails', async () => {
    const session = await started({ render: async () => Promise.reject(new Error('It stopped.')) });
    const uri = await session.open('orders.yml');
    await edit(session, uri, plain('nothing'));
    expect(messages(session)).toEqual([]);
    session.dispose();
  });
});

describe('the sandbox of templates', () => {
  it('renders with the bundles of the package, and gives a loop up that never ends', async () => {
    for (const name of ['templates', 'engine-process'])
      await build({ ...bundleOptions(name, { production: true }), outdir: folder });
    const code = join(folder, 'minijinja_js_bg.wasm');
    cpSync(createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm'), code);
    const engine = templateProcess({
      program: join(folder, 'engine-process.js'),
      bundle: join(folder, 'templates.js'),
      templates: code,
      // Work is bounded, not time: a busy machine may take long for it.
      limitMs: longestWait,
    });
    const question = (source: string): { name: string; marked: string; plain: string } => ({
      name: `${source.length}.jinja`,
      marked: source,
      plain: source,
    });
    const endless = '{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}';
    const answer = await engine.render([question('{{ 1 + 1 }}'), question(endless), question('{{ missing() }}')]);
    expect(answer).toEqual([
      { marked: '2', plain: '2' },
      { error: 'engine ran out of fuel (in 83.jinja:1)' },
      { error: 'unknown function: missing is unknown (in 15.jinja:1)' },
    ]);
  });
});
