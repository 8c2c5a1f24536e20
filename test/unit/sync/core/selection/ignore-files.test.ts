import { describe, expect, it } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';

const uploads = async ({ sync }: LinkedFolder): Promise<readonly string[]> =>
  (await sync.plan()).entries.filter(({ kind }) => kind === 'upload').map(({ path }) => path);

describe('ignore files of a linked folder', () => {
  it.each([
    ['model/.modelbenchignore', '/secret.yml\nsecrets/*.yml', ['model/deep/secret.yml']],
    ['model/deep/.modelbenchignore', 'secret.yml', ['model/secret.yml', 'model/secrets/a.yml']],
    ['.modelbenchignore', 'model/secret.yml\nsecrets/', ['model/deep/secret.yml']],
  ])('in %s apply to what lies below them', async (file, text, left) => {
    const linked = await pulledFolder();
    for (const name of ['secret.yml', 'secrets/a.yml', 'deep/secret.yml']) linked.write(`model/${name}`, `# ${name}\n`);
    linked.write(file, text);
    expect(await uploads(linked)).toEqual(left);
  });

  it('count at once when only their text changes, or they go', async () => {
    const linked = await pulledFolder();
    linked.write('model/deep/a.yml', '# a\n');
    linked.write('model/deep/b.yml', '# b\n');
    linked.write('model/deep/.modelbenchignore', 'a.yml\n');
    expect(await uploads(linked)).toEqual(['model/deep/b.yml']);
    linked.write('model/deep/.modelbenchignore', 'b.yml\n');
    expect(await uploads(linked)).toEqual(['model/deep/a.yml']);
    linked.write('model/.modelbenchignore', 'deep/\n');
    expect(await uploads(linked)).toEqual([]);
    linked.remove('model/.modelbenchignore');
    linked.remove('model/deep/.modelbenchignore');
    expect(await uploads(linked)).toEqual(['model/deep/a.yml', 'model/deep/b.yml']);
  });

  it('hold back a saved file', async () => {
    const linked = await pulledFolder();
    linked.write('model/deep/.modelbenchignore', '/draft.yml\n');
    linked.write('model/deep/draft.yml', '# draft\n');
    linked.write('model/draft.yml', '# not a draft\n');
    linked.sync.onSaved(['model/deep/draft.yml', 'model/draft.yml']);
    await linked.sync.flush();
    expect(await linked.remote('model/deep/draft.yml')).toBeUndefined();
    expect(await linked.remote('model/draft.yml')).toBe('# not a draft\n');
  });

  it('count only with the setting where they are Git’s', async () => {
    const linked = await pulledFolder();
    linked.write('model/.gitignore', 'made.yml\n');
    linked.write('model/made.yml', '# made\n');
    expect(await uploads(linked)).toEqual(['model/made.yml']);
    linked.sync.configure({ useGitignore: true });
    expect(await uploads(linked)).toEqual([]);
    linked.write('.modelbenchignore', '!made.yml\n');
    expect(await uploads(linked)).toEqual(['model/made.yml']);
  });

  it('keep a file that only the platform has, and never delete it there', async () => {
    const linked = await pulledFolder();
    const [file = ''] = linked.files();
    linked.write('model/.modelbenchignore', `/${file.slice('model/'.length)}\n`);
    linked.remove(file);
    expect((await linked.sync.plan()).entries).toEqual([{ kind: 'ignored', path: file }]);
  });
});

describe('ignore rules', () => {
  it('take time in proportion to their length and that of the name, whatever they hold', () => {
    const stars = `${'*a'.repeat(40)}*b`;
    const rules = compileIgnore([stars, `model/**/${stars}`, `${'**/a/'.repeat(20)}b`]);
    expect(rules.ignores(`model/${'a'.repeat(400)}`, false)).toBe(false);
    expect(rules.ignores(`${'a/'.repeat(100)}c`, false)).toBe(false);
  });

  it('name the file, line and folder that decide', () => {
    const text = '# drafts\ndrafts/\n*.md\n!README.md\n';
    const rules = compileIgnore(['*.bak'], [{ folder: 'model', name: '.modelbenchignore', text }]);
    const of = (path: string): unknown => rules.explain(path, false);
    const file = { source: 'file', file: 'model/.modelbenchignore' };
    expect(of('model/drafts/a.yml')).toEqual({
      ...file,
      ignored: true,
      path: 'model/drafts',
      line: 2,
      pattern: 'drafts/',
    });
    expect(of('model/README.md')).toMatchObject({ ...file, ignored: false, line: 4, pattern: '!README.md' });
    expect(of('model/a.bak')).toMatchObject({ source: 'settings', line: 1, pattern: '*.bak' });
    expect(of('model/.env')).toMatchObject({ source: 'builtIn', pattern: '.*' });
    expect(of('model/a.yml')).toBeUndefined();
  });
});
