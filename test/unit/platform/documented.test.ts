import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { documented, type DocumentedType, operationAt } from '#platform/modes/documented.ts';

const rows = readFileSync(new URL('../../fixtures/operations.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t').slice(0, 4).join(' '));

const listed = Object.entries(documented.operations);
const plainTypes = ['string', 'integer', 'number', 'boolean', 'timestamp', 'id', 'object', 'any'];
const known = new Set([...plainTypes, ...Object.keys(documented.shapes), ...Object.keys(documented.enumerations)]);

describe('the list of documented operations', () => {
  it('holds exactly the operations of the list beside it, with the same method, path and section', () => {
    const plain = listed.filter(([, { diamond }]) => !diamond);
    expect(plain.map(([id, { method, path, section }]) => `${method} ${path} ${id} ${section}`)).toEqual(rows);
  });

  it('adds the optional operations, marked as such, and no others', () => {
    const ids = listed.flatMap(([id, { diamond }]) => (diamond ? [id] : []));
    expect(ids.sort()).toEqual(operations.flatMap(({ id, described }) => (described ? [id] : [])).sort());
  });

  it('uses no type that it does not define', () => {
    const used = [
      ...Object.values(documented.shapes).map(({ fields }) => fields),
      ...listed.flatMap(([, { params, query, body, answer }]) => [params, query, body?.fields, answer.json]),
    ].flatMap((type) => (type === undefined ? [] : typeNames(type)));
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has no shape and no enumeration that nothing refers to', () => {
    const text = JSON.stringify(documented);
    const names = [...Object.keys(documented.shapes), ...Object.keys(documented.enumerations)];
    // Every refusal has the shape of an error, and the name of the field that holds the action is not documented.
    const unnamed = ['Error', 'EmbedAccessAction'];
    const unused = names.filter(
      (name) => !unnamed.includes(name) && !new RegExp(`"[[{]?${name}[\\]}]?(\\?null)?"[^:]`).test(text),
    );
    expect(unused).toEqual([]);
  });

  it('finds every operation under its method and path', () => {
    for (const [id, { method, path }] of listed) {
      const pathname = path.replace('{chat}', '').replaceAll(/\{\w+\}/g, '7');
      expect(operationAt(method, pathname)?.id, `${method} ${pathname}`).toBe(id);
    }
    expect(operationAt('GET', '/api/v1/deployments/7/nothing')).toBeUndefined();
  });
});

function typeNames(type: DocumentedType): readonly string[] {
  if (typeof type === 'string') return [type.replace(/\?null$/, '').replaceAll(/[[\]{}]/g, '')];
  return Object.values(type).flatMap((inner: DocumentedType) => typeNames(inner));
}
