import { describe, expect, it } from 'vitest';
import { jinja } from '#support/language/raw.ts';
import { templateEngine, templates } from '#support/language/rendered.ts';

const TEXT = jinja`
  {% macro named(name) %}<{{ name }}>{% endmacro -%}
  {{ 'te"xt' }} {{ 'text' | safe }} {{ ['a', 1] }} {{ 1.5 }} {{ true }} {{ none }} {{ named('a') }} {{ 'a' ~ 'b' }}
`;
/** What the platform makes of it: its engine writes values as JSON in every template. */
const OUTPUT = String.raw`"te\"xt" text ["a",1] 1.5 true null <"a"> "ab"`;

/** What a template renders to where its model is rendered while typing, and where the engine compiles it. */
async function outputs(name: string, source: string, others: Readonly<Record<string, string>> = {}) {
  const sources = { ...others, [name]: source };
  const questions = Object.entries(sources).map(([each, text]) => ({ name: each, marked: text, plain: text }));
  const last = (await templates.render(questions)).at(-1);
  const rendered = last && 'plain' in last ? last.plain : undefined;
  const engine = templateEngine();
  for (const [each, text] of Object.entries(sources)) engine.loadTemplate(each, text);
  const compiled = await engine.renderTemplate(name, {}, {});
  engine.free();
  return { rendered: rendered?.trim(), compiled: compiled.trim() };
}

describe('what a template puts out', () => {
  // @shows templates
  it.each(['orders.yml', 'orders.yaml', 'orders.yml.jinja', 'cubes/orders.yaml.jinja', 'orders.jinja'])(
    'is written as JSON, whatever the name of its file is: %s',
    async (name) => {
      expect(await outputs(name, TEXT)).toEqual({ rendered: OUTPUT, compiled: OUTPUT });
    },
  );

  it('is written in the same way by macros and templates of other files', async () => {
    const source = `{% from 'macros.jinja' import named %}{{ named('a') }} {% include 'part.jinja' %}`;
    const others = { 'macros.jinja': TEXT, 'part.jinja': `{{ 'b' }}\n` };
    const output = `<"a"> "b"`;
    expect(await outputs('orders.yml.jinja', source, others)).toEqual({ rendered: output, compiled: output });
  });

  it('is nothing for a name that nothing defines, which YAML reads as null', async () => {
    expect(await outputs('orders.yml.jinja', 'a: {{ nothing }}')).toEqual({ rendered: 'a: null', compiled: 'a: null' });
  });

  it('names its own line in an error, and nothing that stands around its text', async () => {
    const engine = templateEngine();
    engine.loadTemplate('a.jinja', '\n{{ nothing() }}');
    const failed = engine.renderTemplate('a.jinja', {}, {});
    await expect(failed).rejects.toThrow('nothing is unknown (in a.jinja:2)');
    await expect(failed).rejects.not.toThrow('autoescape');
    engine.free();
  });
});
