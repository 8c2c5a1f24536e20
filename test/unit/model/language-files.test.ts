import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { codes } from '#model/codes.ts';
import { language } from '#model/language/language.ts';
import { helpSchema, jsonSchema } from '#model/json-schema.ts';
import { languageFiles } from '../../tools/language-files.ts';

describe('generated files', () => {
  // @shows diagnostic-pages, one-table
  it.each([...languageFiles()])('%s is what the table says (node test/tools/language-files.ts)', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  // @shows diagnostics
  it('has a page for every code and for nothing else', () => {
    expect(readdirSync('media/diagnostics').sort()).toEqual(
      Object.keys(codes)
        .map((code) => `${code}.md`)
        .sort(),
    );
  });
});

describe('the setting of severities', () => {
  // @shows diagnostics
  it('completes every code and knows no other', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
      };
    };
    const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const [, setting] = settings.find(([name]) => name === 'modelbench.language.severity') ?? [];
    expect((setting as { readonly propertyNames: unknown }).propertyNames).toEqual({ enum: Object.keys(codes).sort() });
  });
});

describe('the schema of models', () => {
  // @shows other-yaml-servers
  it('refuses mistakes where nothing else does, and none where our server reports them', () => {
    const [refuses, helps] = [jsonSchema(), helpSchema()].map((schema) => new Ajv({ strict: false }).compile(schema));
    const cube = (members: object): object => ({ cubes: [{ name: 'a', sql_table: 'a', ...members }] });
    expect(refuses?.(cube({ title: 'A' }))).toBe(true);
    for (const wrong of [
      { titel: 'A' },
      { dimensions: [{ name: 1, type: 'numbr' }] },
      { measures: 'none' },
      { sql: 'a' },
    ]) {
      expect([wrong, refuses?.(cube(wrong)), helps?.(cube(wrong))]).toEqual([wrong, false, true]);
    }
  });

  it('explains the same keys and offers the same values in both', () => {
    const help = JSON.stringify(helpSchema());
    const said = (text: string, word: string): readonly string[] =>
      [...text.matchAll(new RegExp(`"${word}":("(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\])`, 'g'))].map(
        ([, value = '']) => value,
      );
    const keys = (schema: object): readonly string[] =>
      Object.values((schema as { definitions: Record<string, { properties: object }> }).definitions).flatMap(
        ({ properties }) => Object.keys(properties),
      );
    expect(keys(helpSchema())).toEqual(keys(jsonSchema()));
    expect(said(help, 'description')).toEqual(said(JSON.stringify(jsonSchema()), 'description'));
    expect(new Set(said(help, 'enum')).size).toBeGreaterThan(5);
  });

  // @shows one-table
  it('reaches YAML servers for model folders, agents and query files', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly yamlValidation: readonly { readonly fileMatch: string; readonly url: string }[];
      };
    };
    expect(contributes.yamlValidation.map(({ fileMatch }) => fileMatch)).toEqual([
      '**/model/**/*.yml',
      '**/model/**/*.yaml',
      '**/agents/config.yml',
      '**/agents/config.yaml',
      '**/agents/eval_questions.yml',
      '**/agents/eval_questions.yaml',
      '*.query.yml',
      '*.query.yaml',
    ]);
    for (const { url } of contributes.yamlValidation) expect(languageFiles().has(url.replace('./', ''))).toBe(true);
  });
});

describe('the language table', () => {
  it('names only shapes that exist, and rules name only keys of their shape', () => {
    for (const [name, shape] of Object.entries(language)) {
      const keys = Object.keys(shape.keys);
      for (const rule of shape.rules ?? []) {
        for (const key of [...rule.keys, ...(rule.when ?? []).map(({ key: other }) => other)])
          expect({ name, has: keys.includes(key), key }).toEqual({ name, has: true, key });
      }
    }
  });

  it('explains every key', () => {
    const silent = Object.entries(language).flatMap(([name, shape]) =>
      Object.entries(shape.keys).flatMap(([key, { doc }]) => (doc.length < 4 ? [`${name}.${key}`] : [])),
    );
    expect(silent).toEqual([]);
  });
});
