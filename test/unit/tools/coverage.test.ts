import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operation } from '#api/operation.ts';
import {
  contributedTitles,
  coverageRows,
  coverageTable,
  wholeTable,
  gaps,
  readSources,
  type Sources,
  tableFile,
} from '../../tools/coverage.ts';
import { root } from '../../tools/run.ts';
import { localisedManifest } from '#support/manifest.ts';

const titles = contributedTitles(localisedManifest());
const manifest = new Set(titles.keys());

describe('the coverage of the APIs', () => {
  const sources = readSources();
  const rows = coverageRows(sources);

  it('has no gap: every operation has a client, a route, a test and a place', () => {
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(gaps(rows, manifest)).toEqual([]);
  });

  it('stands in the table; after a change run `node test/tools/coverage.ts`', () => {
    expect(readFileSync(join(root, tableFile), 'utf8')).toBe(wholeTable(rows, titles));
  });

  it('would notice a route, a test or a client that goes', () => {
    const gapsWithout = (path: RegExp): readonly string[] => {
      const fewer: Sources = new Map([...sources].filter(([file]) => !path.test(file)));
      return gaps(coverageRows(fewer), manifest);
    };
    expect(gapsWithout(/^test\/platform\/routes\/scim/)).toEqual([
      'listScimGroups: the local platform has no route for it',
      'listScimUsers: the local platform has no route for it',
    ]);
    expect(gapsWithout(/^test\/platform\/chat\/routes/)).toHaveLength(4);
    expect(gapsWithout(/^test\/(unit|e2e)\//)).toHaveLength(rows.length);
    expect(gapsWithout(/^src\/api\/resources\/folders/).join()).toContain(
      'listFolders: no file of src/api holds its constant',
    );
  });
});

describe('the gate', () => {
  const op = operation({
    id: 'getGadget',
    method: 'GET',
    path: '/gadget',
    tag: 'Gadgets',
    summary: 'Get it.',
    answerKind: 'none',
  });
  const complete: readonly (readonly [string, string])[] = [
    ['src/api/gadgets.ts', "export const getGadget = operation({ id: 'getGadget' })"],
    ['src/features/gadget.ts', "import { getGadget } from '#api/gadgets.ts';"],
    ['test/platform/routes/gadgets.ts', "import * as api from '#api/gadgets.ts';\nroute(api.getGadget, work)"],
    ['test/unit/api/gadgets.test.ts', "import { type Gadget, getGadget } from '#api/gadgets.ts';"],
  ];
  const place = { getGadget: 'modelbench.gadgets' };
  const contributed = new Set(['modelbench.gadgets']);
  const found = (files: readonly (readonly [string, string])[], places: Readonly<Record<string, string>> = place) =>
    gaps(coverageRows(new Map(files), places, [op]), contributed, {});

  it('lets pass what is complete', () => {
    expect(found(complete)).toEqual([]);
    const [row] = coverageRows(new Map(complete), place, [op]);
    expect(coverageTable(row ? [row] : [], new Map([['modelbench.gadgets', '*Gadgets…*']]))).toContain(
      '| getGadget | `GET /gadget` | src/api/gadgets.ts | test/platform/routes/gadgets.ts | *Gadgets…*, API Explorer |',
    );
  });

  it.each([
    [0, 'no file of src/api'],
    [2, 'no route'],
    [3, 'no test'],
  ])('stops what lacks file %i', (index, words) => {
    expect(found(complete.toSpliced(index, 1)).join()).toContain(words);
  });

  it('stops a use without a place, a place without a use and one that is not in the manifest', () => {
    expect(found(complete, {})).toEqual([
      'getGadget: src/features/gadget.ts uses it: name its command or view in test/tools/operation-places.ts',
    ]);
    expect(found(complete.toSpliced(1, 1)).join()).toContain('nothing in src uses it');
    expect(found(complete.toSpliced(1, 1), {})).toEqual([
      'getGadget: nothing in src calls it besides the API Explorer',
    ]);
    expect(found(complete, { getGadget: 'modelbench.none' }).join()).toContain('no command and no view');
    const rows = coverageRows(new Map(complete), place, [op]);
    expect(gaps(rows, contributed, { getNothing: 'modelbench.gadgets' }).join()).toContain('that there is not');
  });

  it('takes a name in a comment or a string for no use', () => {
    const named = complete.with(3, ['test/unit/api/gadgets.test.ts', "// getGadget\nconst id = 'getGadget';"]);
    expect(found(named).join()).toContain('no test');
  });
});
