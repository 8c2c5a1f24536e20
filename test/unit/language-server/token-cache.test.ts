import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver';
import { tokensIn } from '#language-server/ide/tokens/semantic-tokens.ts';
import { LineIndex } from '#base/line-index.ts';
import { prepareTokens, TokenCache } from '#language-server/requests/token-cache.ts';
import type { ModelRoot, Opened } from '#language-server/workspace/workspace.ts';
import { editFile } from '#model/edit.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { symbolsOf } from '#model/symbols.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (name: string, other: string): string => `  - name: ${name}
    sql: "SELECT 1 FROM t"
    dimensions:
      - {name: id, sql: "{CUBE}.id", type: number}
      - name: d
        sql: "{${other}.id} + 1"
        type: number
`;
const MODEL = `cubes:\n${cube('a', 'b')}${cube('b', 'c')}  - {name: e, sql: "SELECT 2"}\n${cube('c', 'a')}views: []\n`;

/** A document of a model, edited as the server does it. */
class Edited {
  readonly #root: ModelRoot = { uri: 'memory:', index: new ModelIndex(), isStandalone: false, mixed: false };
  opened: Opened;

  constructor(text: string) {
    this.opened = this.#with(parseFile('memory:/a.yml', text));
  }

  edit(start: number, end: number, text: string): void {
    const before = this.opened.file;
    const whole = before.text.slice(0, start) + text + before.text.slice(end);
    this.opened = this.#with(editFile(before, whole, [{ start, end, text }]));
  }

  #with(file: Opened['file']): Opened {
    this.#root.index.set(file);
    return { uri: file.path, root: this.#root, file, positions: new LineIndex(file.text) };
  }
}

const fresh = (text: string): readonly number[] => new TokenCache().full(new Edited(text).opened).data;

function apply(data: readonly number[], answer: SemanticTokens | SemanticTokensDelta): readonly number[] {
  if ('data' in answer) return answer.data;
  const changed = [...data];
  for (const { start, deleteCount, data: own = [] } of answer.edits) changed.splice(start, deleteCount, ...own);
  return changed;
}

describe('tokens of a document that is edited', () => {
  const pieces = fc.constantFrom(
    'x',
    '\n',
    ' ',
    '"',
    '  - name: z\n',
    "'t'",
    '{CUBE}',
    'name: ',
    '#',
    'SELECT',
    '{{ x }}',
    '',
  );
  const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(12), pieces), { maxLength: 8 });

  // @shows semantic-tokens
  it('equal those of the same text read from scratch, by differences as well', () => {
    fc.assert(
      fc.property(edits, (steps) => {
        const cache = new TokenCache();
        const document = new Edited(MODEL);
        let { resultId = '', data }: { resultId?: string | undefined; data: readonly number[] } = cache.full(
          document.opened,
        );
        for (const [place, length, text] of steps) {
          const start = Math.floor(place * document.opened.file.text.length);
          document.edit(start, start + length, text);
          const answer = cache.delta(document.opened, resultId);
          data = apply(data, answer);
          resultId = answer.resultId ?? '';
          expect(data).toEqual(fresh(document.opened.file.text));
        }
      }),
    );
  });

  it('travel as the numbers that a key changed', () => {
    const cache = new TokenCache();
    const document = new Edited(MODEL);
    const { resultId = '', data } = cache.full(document.opened);
    const at = MODEL.lastIndexOf('FROM t') + 'FROM t'.length;
    document.edit(at, at, ' WHERE 1');
    const answer = cache.delta(document.opened, resultId);
    expect('edits' in answer && answer.edits.map(({ deleteCount, data: own }) => [deleteCount, own?.length])).toEqual([
      [0, 10],
    ]);
    expect(apply(data, answer)).toEqual(fresh(document.opened.file.text));
  });

  it('go out whole to who remembers another answer', () => {
    const cache = new TokenCache();
    const { opened } = new Edited(MODEL);
    const { data } = cache.full(opened);
    expect(cache.delta(opened, 'another')).toEqual({ resultId: expect.any(String) as string, data });
  });

  it('change with what another file says', () => {
    const cache = new TokenCache();
    const { opened } = new Edited(MODEL);
    const { resultId = '' } = cache.full(opened);
    opened.root.index.set(
      parseFile(
        'memory:/b.yml',
        yaml`
          cubes:
            - name: late
              sql_table: t
        `,
      ),
    );
    expect(cache.delta(opened, resultId)).toEqual({ resultId: expect.any(String) as string, edits: [] });
    const { opened: other } = new Edited(MODEL.replaceAll('{b.id}', '{late.id}'));
    const before = cache.full(other);
    other.root.index.set(
      parseFile(
        'memory:/b.yml',
        yaml`
          cubes:
            - name: late
              sql_table: t
              dimensions: [{name: id, sql: id, type: number}]
        `,
      ),
    );
    expect(cache.full(other).data.length).toBeGreaterThan(before.data.length);
  });

  // @shows semantic-tokens
  it('of a range are those of the whole that start in it', () => {
    const { opened } = new Edited(MODEL);
    const lines = (data: readonly number[]): number[] => {
      let line = 0;
      return data.flatMap((value, at) => (at % 5 === 0 ? [(line += value)] : []));
    };
    const start = { line: 8, character: 0 };
    const end = { line: 12, character: 16 };
    const wanted = lines(new TokenCache().full(opened).data).filter((line) => line >= 8 && line <= 12);
    expect(wanted.length).toBeGreaterThan(5);
    expect(lines(tokensIn(opened, { start, end }).data)).toEqual(wanted);
  });
});

describe('finding out the tokens of a large document', () => {
  /** A clock that says after each item that it took long. */
  const slow = (yielded: () => void): Parameters<typeof prepareTokens>[1] => {
    let now = 0;
    return {
      now: () => (now += 10),
      yield: () => {
        yielded();
        return Promise.resolve();
      },
    };
  };

  it('lets messages in between its items, and continues with the text that they left', async () => {
    const document = new Edited(MODEL);
    let turns = 0;
    await prepareTokens(
      () => document.opened,
      slow(() => {
        if (turns++ === 1) document.edit(0, 0, '# a line more\n');
      }),
      () => false,
    );
    expect(turns).toBe(document.opened.file.chunks.length);
    expect(new TokenCache().full(document.opened).data).toEqual(fresh(document.opened.file.text));
  });

  it('ends where no request waits any more, or the document is gone', async () => {
    const document = new Edited(MODEL);
    let turns = 0;
    const count = slow(() => turns++);
    await prepareTokens(
      () => document.opened,
      count,
      () => turns === 2,
    );
    expect(turns).toBe(2);
    await prepareTokens(
      () => (turns < 4 ? document.opened : undefined),
      count,
      () => false,
    );
    expect(turns).toBe(4);
  });
});

describe('memory for the tokens of a document', () => {
  /** Returns whether the references of the first cube are still the same objects after its document was coloured. */
  const keepsReferences = async (text: string): Promise<boolean> => {
    const { opened } = new Edited(text);
    const [placed] = opened.file.chunks;
    const [symbol] = placed ? symbolsOf(placed.chunk) : [];
    if (!symbol) throw new Error('The document has no cube.');
    const before = symbol.references;
    expect(before).not.toEqual([]);
    await prepareTokens(
      () => opened,
      { now: () => 0, yield: () => Promise.resolve() },
      () => false,
    );
    return symbol.references === before;
  };

  it('keeps the trees of a small document, which is asked about again', async () => {
    expect(await keepsReferences(MODEL)).toBe(true);
  });

  it('frees the trees of a large document item by item', async () => {
    const cubes = Array.from({ length: 800 }, (_, at) => cube(`c${at}`, 'c0'));
    expect(await keepsReferences(`cubes:\n${cubes.join('')}`)).toBe(false);
  });
});
