import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileScanner } from '#api/streams/file-scanner.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Found {
  readonly files: readonly (readonly [path: string, text: string])[];
  readonly end: FileScanner['end'];
}

/** Scans a text that arrives in chunks of these lengths, over and over. */
function scan(text: string | Uint8Array, lengths: readonly number[], wants: (path: string) => boolean): Found {
  const bytes = typeof text === 'string' ? encode(text) : text;
  const scanner = new FileScanner(wants);
  const files: [string, string][] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    for (const { path, bytes: content } of scanner.push(bytes.subarray(at, at + length))) {
      if (content) files.push([path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)]);
    }
    at += length;
  }
  return { files, end: scanner.end };
}

/** Also asks about folders, which come without content. */
const everything = (): boolean => true;
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '\n', 'é', '😀', ',', ':') }),
);
const name = fc.stringMatching(/^[a-z"\\é]{1,8}$/);

interface Node {
  readonly path: string;
  readonly type: string;
  readonly content?: string;
  readonly children?: readonly Node[];
}

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({ type: fc.constant('file'), path: name, content: text }),
    fc.record({ path: name, type: fc.constant('directory'), children: fc.array(tie('node'), { maxLength: 4 }) }),
  ),
}));

function filesIn(each: Node): [string, string][] {
  const own: [string, string][] = each.content === undefined ? [] : [[each.path, each.content]];
  return [...(each.children ?? []).flatMap(filesIn), ...own];
}

function parsedText(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}

describe('the scanner of file contents', () => {
  it('finds what JSON.parse finds, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(
        node,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.boolean(),
        (tree, cuts, spaced) => {
          const found = scan(JSON.stringify(tree, undefined, spaced ? 2 : 0), cuts, everything);
          expect(found).toEqual({ files: filesIn(tree), end: 'whole' });
        },
      ),
    );
  });

  it('reads every escape as JSON.parse does, and refuses what is none', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\\',
        '\\u',
        '\\n',
        '\\"',
        '\\/',
        '\\ud83d\\ude00',
        '\\ud83d',
        '\\ude00',
        '\\u00E9',
        '\\u20ac',
        '\\x',
        'é',
        '😀',
      ),
      fc.stringMatching(/^\\u[0-9a-fA-FgG]{3,5}$/),
      fc.stringMatching(/^[a-z ]{0,5}$/),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 9 }), (pieces, cut) => {
        const json = `"${pieces.join('')}"`;
        const parsed = parsedText(json);
        // A string that ends in the middle of an escape is not one string.
        fc.pre(
          parsed !== undefined ||
            json.replaceAll(/\\./gu, '').indexOf('"', 1) === json.replaceAll(/\\./gu, '').length - 1,
        );
        const { files } = scan(`{"path":"a","content":${json}}`, [cut], everything);
        expect(files).toEqual(parsed === undefined ? [] : [['a', parsed.toWellFormed()]]);
      }),
    );
  });

  it('says of every text that was cut that it was cut', () => {
    fc.assert(
      fc.property(node, fc.nat(), (tree, at) => {
        const whole = encode(JSON.stringify(tree));
        expect(scan(whole.subarray(0, at % whole.length), [7], everything).end).toBe('cutOff');
      }),
    );
  });

  it.each([
    ['a flat list', { files: [{ path: '/model/a.yml', content: 'a' }] }],
    ['a list in data', { data: [{ content: 'a', path: 'model/a.yml' }] }],
    ['a bare list', [{ path: 'model/a.yml', content: 'a', size: 1, tags: ['path', 'x'], more: { path: 'no' } }]],
  ])('reads %s', (_, answer) => {
    expect(scan(JSON.stringify(answer), [3], everything).files).toEqual([['model/a.yml', 'a']]);
  });

  it('decodes only what is wanted', () => {
    const answer = [{ path: 'a', content: '"\\broken' }].concat({ path: 'b', content: 'b' });
    expect(scan(JSON.stringify(answer), [5], (path) => path === 'b').files).toEqual([['b', 'b']]);
  });

  it.each(['<html>', 'null', '"text"', '[}', '42'])('knows that %s is not a list of files', (answer) => {
    expect(scan(answer, [64], everything).end).toBe('notJson');
  });
});
