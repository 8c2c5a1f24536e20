import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver';
import { prepareRename, renameAt } from '#language-server/ide/rename.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { usagesOf } from '#model/usages.ts';
import { type Fixture, fixture } from './fixture.ts';
import { SHOP, shopAt } from './shop.ts';

/** The texts of the files after a rename, by path. */
function applied({ file }: Fixture, edit: WorkspaceEdit): Map<string, string> {
  const texts = new Map<string, string>();
  for (const change of (edit.documentChanges ?? []).filter(
    (item): item is TextDocumentEdit => 'textDocument' in item,
  )) {
    const path = change.textDocument.uri.replace('memory:///model/', '');
    const opened = file(path);
    const edits = change.edits.map((item) => ({
      start: opened.positions.offsetAt(item.range.start),
      end: opened.positions.offsetAt(item.range.end),
      text: 'newText' in item ? item.newText : '',
    }));
    let text = opened.file.text;
    for (const { start, end, text: inserted } of edits.sort((a, b) => b.start - a.start))
      text = text.slice(0, start) + inserted + text.slice(end);
    texts.set(path, text);
  }
  return texts;
}

function renamed(
  text: string,
  name: string,
  canRenameFiles = false,
): { readonly texts: Map<string, string>; readonly edit: WorkspaceEdit } {
  const model = fixture(text);
  const edit = renameAt(model.opened, model.offset, name, model.workspace, canRenameFiles);
  return { texts: applied(model, edit), edit };
}

describe('rename', () => {
  it('reaches names whose path is put in braces, in part or whole', () => {
    const model = `#- o.yml
cubes:
  - name: orders
    sql_table: o
    dimensions:
      - name: sta$0tus
        sql: s
        type: string
    measures:
      - name: count
        type: count
        drill_members: ["{CUBE}.status", "{orders.status}", "\${CUBE}.status", "{orders}.{status}"]
`;
    const { texts } = renamed(model, 'state');
    expect(texts.get('o.yml')).toContain('["{CUBE}.state", "{orders.state}", "${CUBE}.state", "{orders}.{state}"]');
  });

  it('changes a member everywhere, prefixed names included, and nothing else', () => {
    const { texts } = renamed(shopAt('cubes/users.yml', '- name: ci'), 'town');
    expect(texts.get('cubes/users.yml')).toContain('- name: town\n        sql: "{CUBE}.city"');
    expect(texts.get('cubes/orders.yml')).toContain('[id, status, users.town]');
    expect(texts.get('cubes/orders.yml')).toContain('dimensions: [status, users.town]');
    expect(texts.get('views/shop.yml')).toContain('includes: [town]');
    expect(texts.get('views/shop.yml')).toContain('[users_town, revenue]');
  });

  it('keeps the alias of a renamed member', () => {
    const { texts } = renamed(shopAt('cubes/orders.yml', '- name: tot'), 'amount');
    expect(texts.get('views/shop.yml')).toContain('- name: amount\n            alias: revenue');
    expect(texts.get('views/shop.yml')).toContain('revenue]');
    expect(texts.get('cubes/orders.yml')).toContain('{amount} / NULLIF');
  });

  it('changes a cube with the names that its prefix makes, and moves its file', () => {
    const { texts, edit } = renamed(shopAt('cubes/orders.yml', 'status, use'), 'customers', true);
    expect(texts.get('cubes/orders.yml')).toContain('- name: customers\n        relationship');
    expect(texts.get('cubes/orders.yml')).toContain('{customers.id}');
    expect(texts.get('views/shop.yml')).toContain('join_path: orders.customers');
    expect(texts.get('views/shop.yml')).toContain('[customers_city, revenue]');
    expect(edit.documentChanges).toContainEqual(
      expect.objectContaining({ kind: 'rename', newUri: 'memory:///model/cubes/customers.yml' }),
    );
  });

  it('changes overrides along with what they override', () => {
    const text =
      'cubes:\n  - name: base\n    sql_table: t\n    dimensions:\n      - {name: a$0, sql: a, type: number}\n  - name: child\n    extends: base\n    dimensions:\n      - {name: a, sql: b, type: number}\n    measures:\n      - {name: m, type: sum, sql: "{a}"}\n';
    const { texts } = renamed(text, 'z');
    expect(texts.get('model.yml')).not.toMatch(/name: a,|\{a\}/);
  });

  it('works in JavaScript, quotes stay', () => {
    const { texts } = renamed(
      '#- a.js\ncube(`a`, { sql: `select 1`, measures: { co$0unt: { type: `count` }, b: { type: `number`, sql: `${count} + ${CUBE.count}` } } });\ncube(`b`, { extends: a });',
      'n',
    );
    expect(texts.get('a.js')).toContain('{ n: { type: `count` }, b: { type: `number`, sql: `${n} + ${CUBE.n}` } }');
  });

  it('refuses names that are no names or are taken', () => {
    expect(() => renamed(shopAt('cubes/users.yml', '- name: ci'), '1x')).toThrow('not a name');
    expect(() => renamed(shopAt('cubes/users.yml', '- name: ci'), 'id')).toThrow(
      '“users” already has a dimension called “id”',
    );
    expect(() => renamed(shopAt('cubes/users.yml', 'name: use'), 'orders')).toThrow('is already called “orders”');
  });

  it('offers nothing where no name stands', () => {
    const { opened, offset } = fixture(shopAt('cubes/orders.yml', 'sql: amou'));
    expect(prepareRename(opened, offset)).toBeNull();
  });

  it('keeps every reference: as many as before, and none of the old name', () => {
    const { index } = fixture(SHOP);
    const subjects = index
      .entities()
      .flatMap((entity) =>
        [...entity.members.values()].map((member) => ({ entity: entity.name, member: member.name })),
      );
    fc.assert(
      fc.property(fc.constantFrom(...subjects), ({ entity, member }) => {
        const model = fixture(SHOP);
        const symbol = model.index.entity(entity)?.members.get(member);
        if (!symbol) throw new Error('The shop changed.');
        const placed = model.index.placement(symbol.owner.part);
        const opened = model.file((placed?.file.path ?? '').replace('memory:///model/', ''));
        const before = usagesOf({ is: 'member', member: symbol }, model.index).length;
        const edit = renameAt(
          opened,
          (placed?.start ?? 0) + symbol.nameNode.start,
          'fresh_name',
          model.workspace,
          false,
        );
        const after = new ModelIndex();
        const texts = applied(model, edit);
        for (const file of model.index.files())
          after.set(parseFile(file.path, texts.get(file.path.replace('memory:///model/', '')) ?? file.text));
        const moved = after.entity(entity)?.members.get('fresh_name');
        expect(moved && usagesOf({ is: 'member', member: moved }, after).length).toBe(before);
      }),
      { numRuns: 30, seed: 7 },
    );
  });
});
