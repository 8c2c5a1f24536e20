import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { TextChange } from '#base/text-change.ts';
import { editReview, type FileEditPorts } from '#features/review/edit-review.ts';
import { yaml } from '#support/language/raw.ts';

const TEXT = yaml`
  cubes:
    - name: orders
      owner: team
      sql_table: orders
`;
const OWNER = '    owner: team\n';

/** An editor with a text, and the page of a fix that removes the line of the owner. */
function review(more: Partial<FileEditPorts> = {}) {
  const changed = new Emitter<readonly TextChange[]>();
  const editor = { text: TEXT, shown: undefined as string | undefined, ended: [] as unknown[] };
  const write = ({ start, end, text }: TextChange): void => {
    editor.text = editor.text.slice(0, start) + text + editor.text.slice(end);
    changed.fire([{ start, end, text }]);
  };
  const start = TEXT.indexOf(OWNER);
  const source = editReview(
    {
      title: 'Remove `owner`',
      from: 'Quick fix',
      path: 'model/orders.yml',
      replacement: { start, end: start + OWNER.length, text: '' },
    },
    OWNER,
    {
      read: async () => editor.text,
      onDidChange: changed.event,
      changes: async () => [],
      diff: async (before, after) => (editor.shown = `${before}→\n${after}`),
      apply: async (replacement) => (write(replacement), true),
      ended: (...end) => void editor.ended.push(end),
      ...more,
    },
  );
  return { editor, write, source };
}

const press = async ({ apply }: Pick<ReturnType<typeof editReview>, 'apply'>): Promise<boolean> =>
  apply({ message: '', options: [], typed: '' });

describe('the review of a fix that removes something', () => {
  it('shows both texts, and its only button makes the change', async () => {
    const { editor, source } = review();
    expect(source.document.value).toMatchObject({
      title: 'Remove `owner`',
      from: 'Quick fix',
      to: 'model/orders.yml',
      warnings: [],
      action: { label: 'Remove `owner`', whyNot: '' },
      groups: [{ rows: [{ path: 'model/orders.yml', kind: 'change', canTick: false }] }],
    });
    const after = TEXT.replace(OWNER, '');
    expect(await source.texts('')).toEqual({ before: TEXT, after, changes: [] });
    expect(editor.text).toBe(TEXT);
    expect(await press(source)).toBe(true);
    expect(editor.text).toBe(after);
    source.close();
    expect(editor.ended).toEqual([[true, TEXT.indexOf(OWNER)]]);
  });

  it('changes nothing when the page is closed', () => {
    const { editor, source } = review();
    source.close();
    expect([editor.text, editor.ended]).toEqual([TEXT, [[false, TEXT.indexOf(OWNER)]]]);
  });

  it('follows what is written before and after it', async () => {
    const { editor, write, source } = review();
    const groups = source.document.value?.groups;
    write({ start: 0, end: 0, text: '# shop\n' });
    write({ start: editor.text.length, end: editor.text.length, text: '# end\n' });
    expect(source.document.value?.groups).not.toEqual(groups);
    expect(source.document.value?.action.whyNot).toBe('');
    await press(source);
    expect(editor.text).toBe(`# shop\n${TEXT.replace(OWNER, '')}# end\n`);
  });

  it.each([
    ['within', 10, 14],
    ['across its start', -3, 5],
    ['across its end', 10, OWNER.length + 3],
    ['in all of it', -5, OWNER.length + 5],
  ])('is no longer possible after an edit %s', async (_, from, to) => {
    const { editor, write, source } = review();
    const at = TEXT.indexOf(OWNER);
    write({ start: at + from, end: at + to, text: 'x' });
    const edited = editor.text;
    expect(source.document.value?.action.whyNot).toMatch(/^This text was edited after/);
    await expect(press(source)).rejects.toThrow('This text was edited after');
    await expect(source.texts('')).rejects.toThrow('This text was edited after');
    expect(editor.text).toBe(edited);
  });

  it('stays impossible after such an edit, wherever the next one is', () => {
    const { write, source } = review();
    const at = TEXT.indexOf(OWNER);
    write({ start: at + 1, end: at + 2, text: '' });
    write({ start: 0, end: 0, text: '# shop\n' });
    expect(source.document.value?.action.whyNot).toMatch(/^This text was edited after/);
  });

  it('does not replace what changed on disk while no editor had the file', async () => {
    const { editor, source } = review();
    editor.text = 'cubes: []\n'.repeat(20);
    await expect(press(source)).rejects.toThrow('This text was edited after');
    expect(editor.text).toBe('cubes: []\n'.repeat(20));
  });

  it('says when the editor did not make the change, and can be tried again', async () => {
    let isPossible = false;
    const { editor, source } = review({ apply: async () => isPossible });
    await expect(press(source)).rejects.toThrow('orders.yml was not changed.');
    isPossible = true;
    expect(await press(source)).toBe(true);
    source.close();
    expect(editor.ended).toEqual([[true, TEXT.indexOf(OWNER)]]);
  });

  it('shows the difference in an editor', async () => {
    const { editor, source } = review();
    await source.diff('');
    expect(editor.shown).toBe(`${TEXT}→\n${TEXT.replace(OWNER, '')}`);
  });
});
