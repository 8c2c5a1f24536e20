import type { MarkupContent } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { hover } from '#language-server/ide/hover.ts';
import { fixture } from '#support/language/model.ts';

/** What VS Code would show for a cube, a member and a function of templates with this text. */
function shown(text: string): readonly string[] {
  const quoted = JSON.stringify(text);
  const models = [
    `cubes:\n  - name: ord$0ers\n    sql_table: t\n    title: ${quoted}\n    description: ${quoted}\n`,
    `cubes:\n  - name: orders\n    sql_table: t\n    measures:\n      - name: cou$0nt\n        type: count\n        description: ${quoted}\n`,
    `cubes:\n  - name: ord$0ers\n    sql: ${quoted}\n`,
  ];
  return models.map((model) => {
    const { opened, offset } = fixture(model);
    return (hover(opened, offset)?.contents as MarkupContent | undefined)?.value ?? '';
  });
}

describe('a hover', () => {
  it.each([
    '![x](https://evil.example/seen.png)',
    '![x][pixel]\n\n[pixel]: https://evil.example/seen.png',
    '[![x](https://evil.example/seen.png)](https://evil.example)',
    '!![x](//evil.example/seen.png)',
    '```\n![x](https://evil.example/seen.png)\n```',
  ])('loads no picture that a description names: %j', (text) => {
    for (const value of shown(text)) {
      expect(value.replaceAll('\\', '')).toContain('evil.example');
      expect(value).not.toContain('![');
    }
  });
});
