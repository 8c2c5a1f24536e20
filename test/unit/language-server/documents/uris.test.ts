import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeUri } from '#language-server/documents/uris.ts';

/** Names as users have them: spaces, characters that URIs give a meaning, and letters in both Unicode forms. */
const name = fc
  .array(
    fc.constantFrom(
      ' ',
      ..."a Z 0 9 % # ? & = + @ : ; , ! ' ( ) * [ ] { } | ^ ~ ` $ - _ .".split(' '),
      'é',
      'e\u0301',
      'Å',
      'A\u030A',
      'ß',
      '日',
      '😀',
      '%41',
      '%2F',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((characters) => characters.join(''))
  .filter((text) => text !== '.' && text !== '..');
const names = fc.array(name, { minLength: 1, maxLength: 4 });

/** The spellings of one URI that clients use: each character of the path as it is where that is allowed, or escaped. */
function respelled(uri: string, choice: (at: number) => number): string {
  let at = 0;
  return uri.replace(/(?<=^[a-z]+:\/\/[^/]*\/.*)(?:%[\dA-F]{2}|[\w!'()*+,;=:@&$.~-])/g, (part) => {
    const chosen = choice(at++);
    if (part.length === 1) return chosen === 1 && part !== '.' ? escapeOf(part) : part;
    return chosen === 1 ? part.toLowerCase() : part;
  });
}

/** Escapes a segment of a path as VS Code does. */
function asVsCode(segment: string): string {
  return encodeURIComponent(segment).replaceAll(/[!'()*]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

describe('the one spelling of a URI', () => {
  it('is that of every spelling of one file, and leads to it', () => {
    fc.assert(
      fc.property(names, fc.array(fc.nat(1)), (parts, choices) => {
        const path = `/${parts.join('/')}`;
        const written = [pathToFileURL(path).href, `file:///${parts.map(asVsCode).join('/')}`];
        const all = [
          ...written,
          ...written.map((uri) => respelled(uri, (at) => choices[at % Math.max(1, choices.length)] ?? 0)),
          written[0]?.replace('file:///', 'FILE:///') ?? '',
          written[0]?.replace('file:///', 'file://localhost/') ?? '',
          written[0]?.replace('file:///', 'file:/') ?? '',
          written[0]?.replace('file:///', 'file:///other/..//./') ?? '',
        ];
        const [uri = '', ...others] = new Set(all.map(normalizeUri));
        expect(others).toEqual([]);
        expect(normalizeUri(uri)).toBe(uri);
        // Drives are compared without case.
        expect(fileURLToPath(uri)).toBe(path.replace(/^\/[A-Z]:(?=\/|$)/, (drive) => drive.toLowerCase()));
      }),
    );
  });

  it('is that of every spelling of a file on a drive or a share of Windows', () => {
    const drive = fc.constantFrom('c', 'C', 'z', 'Z').map((letter) => ({ start: `${letter}:`, isDrive: true }));
    const share = fc.constantFrom('server', 'SERVER', 'Server.local', 'wsl.localhost', 'wsl$').map((host) => ({
      start: `\\\\${host}`,
      isDrive: false,
    }));
    const segment = name.map((text) => `a${text.replaceAll(/[:*?|"<>/\\]/g, '_')}b`);
    const segments = fc.array(segment, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.oneof(drive, share), segments, ({ start, isDrive }, parts) => {
        const path = [start, ...parts].join('\\');
        const own = path.replace(start, start.toLowerCase());
        const encoded = parts.map(encodeURIComponent).join('/');
        const all = isDrive
          ? [
              `file:///${start}/${encoded}`,
              `file:///${start.replace(':', '%3A')}/${encoded}`,
              `file:///${start.replace(':', '%3a')}/${encoded}`,
              `file:///${start.replace(':', '%3A').toLowerCase()}/${parts.map(asVsCode).join('/')}`,
              `file:/${start}/${encoded}`,
              `file://${start}/${encoded}`,
              `file:///${start}\\${parts.map(encodeURIComponent).join('\\')}`,
            ]
          : [`file://${start.slice(2)}/${encoded}`, `file:${start.replaceAll('\\', '/')}/${encoded}`];
        const [uri = '', ...others] = new Set(all.map(normalizeUri));
        expect(others).toEqual([]);
        expect(fileURLToPath(uri, { windows: true })).toBe(own);
      }),
    );
  });

  it('differs for different files', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const [a, b] = [one, other].map((parts) => normalizeUri(pathToFileURL(`/ws/${parts.join('/')}`).href));
        expect(a === b).toBe(one.join('/') === other.join('/'));
      }),
    );
  });

  it('is one for a text that is not a URI, and retains what follows the path of others', () => {
    const pieces = [
      ...'/ \\ : . ? # % @ a C'.split(' '),
      ' ',
      '\uD800',
      '\uDC00',
      '\n',
      '%2E',
      '%2F',
      '%zz',
      '%FF',
      '//',
      '..',
      'C:',
      'c%3A',
    ];
    const starts = fc.constantFrom('', 'file:', 'file:///', 'FILE://', 'git:/', 'x://', 'vscode-vfs://a@B');
    fc.assert(
      fc.property(starts, fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (start, text) => {
        const uri = normalizeUri(start + text.join(''));
        expect(normalizeUri(uri)).toBe(uri);
      }),
      { numRuns: 2000 },
    );
    const query = '?{"path":"/ws/a%20b.yml","ref":"~"}#x';
    expect(normalizeUri(`git:/ws/a%20b.yml${query}`)).toBe(`git:/ws/a%20b.yml${query}`);
    expect(normalizeUri('untitled:Untitled-1')).toBe('untitled:Untitled-1');
    expect(normalizeUri('vscode-remote://ssh-remote+Host/ws/a.yml')).toBe(
      normalizeUri('vscode-remote://ssh-remote%2Bhost/ws/a.yml'),
    );
  });
});
