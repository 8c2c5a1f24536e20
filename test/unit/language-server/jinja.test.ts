import { describe, expect, it } from 'vitest';
import type { MarkupContent } from 'vscode-languageserver';
import { completion } from '#language-server/ide/completion.ts';
import { hover } from '#language-server/ide/hover.ts';
import { definition } from '#language-server/ide/navigation.ts';
import { fixture } from './fixture.ts';
import { ROOT, Session } from './session.ts';

const PYTHON = `#- globals.py
template = TemplateContext()
@template.function('load_tables')
def load(schema):
    """All tables of a schema."""
@template.filter('safe_name')
def safe(value): return value
`;

function labels(template: string): string[] {
  const { opened, offset } = fixture(`${PYTHON}#- a.yml.jinja\n${template}`);
  return completion(opened, offset).items.map(({ label }) => label);
}

describe('inside templates', () => {
  it.each(['{{ $0 }}', '{{ lo$0', '{%- for t in $0 %}', "cubes:\n  - name: {{ load_tables('a')$0 }}"])(
    'names of globals.py complete in %s',
    (template) => {
      expect(labels(template)).toEqual(expect.arrayContaining(['load_tables', 'COMPILE_CONTEXT', 'env_var']));
      expect(labels(template)).not.toContain('safe_name');
    },
  );

  it('filters complete behind a bar, macros elsewhere, and nothing behind a dot', () => {
    expect(labels('{{ x | sa$0 }}')).toEqual(['safe_name']);
    expect(labels('{% macro dim(name) %}{% endmacro %}{{ d$0 }}')).toContain('dim');
    expect(labels('{{ x.$0 }}')).toEqual([]);
  });

  it('outside of them keys complete as ever', () => {
    const keys = labels('{% set x = 1 %}\ncubes:\n  - name: a\n    sql_table: t\n    d$0\n');
    expect(keys).toContain('dimensions');
    expect(keys).not.toContain('load_tables');
  });

  it('a name is explained and leads to where it is registered', () => {
    const { opened, offset, workspace } = fixture(
      `${PYTHON}#- a.yml.jinja\n{% for t in load_ta$0bles() %}{% endfor %}\n`,
    );
    const contents = hover(opened, offset)?.contents as MarkupContent;
    expect(contents.value).toContain('load_tables(schema)');
    expect(contents.value).toContain('All tables of a schema.');
    const [link] = definition(opened, offset, workspace);
    expect(link?.targetUri).toBe(`${ROOT}/globals.py`);
    expect(link?.targetRange.start).toEqual({ line: 1, character: 20 });
  });

  it('a name is no problem any more once globals.py has it', async () => {
    const session = await Session.start({ 'a.yml.jinja': '{{ fresh() }}\n' });
    const uri = `${ROOT}/a.yml.jinja`;
    expect((await session.diagnosticsOf(uri, undefined)).map(({ code }) => code)).toEqual(['unknown-reference']);
    session.files.set(`${ROOT}/globals.py`, "c = TemplateContext()\nc.add_function('fresh', 1)\n");
    const cleared = session.cleared(uri);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${ROOT}/globals.py`, type: 1 }],
    });
    expect(await cleared).toEqual([]);
    session.dispose();
  });

  it('globals.py is read again when it changes', async () => {
    const session = await Session.start({ 'globals.py': 'c = TemplateContext()\n', 'a.yml.jinja': 'x: {{ y }}\n' });
    const uri = await session.open('a.yml.jinja');
    const ask = async (): Promise<string[]> => {
      const list = await session.request<{ items: { label: string }[] }>('textDocument/completion', uri, {
        position: { line: 0, character: 6 },
      });
      return list.items.map(({ label }) => label);
    };
    expect(await ask()).not.toContain('fresh');
    session.files.set(`${ROOT}/globals.py`, "c = TemplateContext()\nc.add_variable('fresh', 1)\n");
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${ROOT}/globals.py`, type: 2 }],
    });
    expect(await ask()).toContain('fresh');
    session.dispose();
  });
});
