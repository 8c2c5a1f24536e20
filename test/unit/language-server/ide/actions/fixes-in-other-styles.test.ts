import { describe, expect, it } from 'vitest';
import { examples } from '#support/language/diagnostic-page.ts';
import { FIX_CASES } from '#support/language/fix-cases.ts';
import { fixture } from '#support/language/model.ts';
import { actionsIn, applied } from '#support/language/show.ts';

/** Models with mistakes, each in one text with the paths of its files. */
const CASES = [
  ...examples().map(({ code, path, wrong }) => ({ name: code, text: `# file: ${path}\n${wrong}` })),
  ...Object.entries(FIX_CASES).map(([name, text]) => ({
    name,
    text: /^(?:#|\/\/) file: /.test(text) ? text : `# file: m.yml\n${text}`,
  })),
].map(({ name, text }) => ({ name, text: text.replaceAll('$0', '') }));

/** The file with the cursor after each action, without the changes that another writing of it makes. */
const results = (text: string, plain: (result: string) => string): readonly string[] => {
  const { opened } = fixture(text);
  return actionsIn(text).map(({ title, edit }) => {
    const edits = edit?.changes?.[opened.uri] ?? [];
    return `${title}\n${plain(applied(opened, edits))}`;
  });
};
const same = (text: string): string => text;
const CRLF = (text: string): string => text.replaceAll('\n', '\r\n').replaceAll(/^((?:#|\/\/) file: \S+)\r/gm, '$1');
const NOTE = / (?:#|\/\/) a note(?=\r?$)/gm;
/** Writes a comment behind each line of YAML; texts of several lines would contain it. */
const noted = (text: string): string =>
  /[|>][-+]?\n/.test(text) || /\.js$/m.test(text) ? text : text.replaceAll(/(?<=\S)(?<!# file: \S+)$/gm, ' # a note');

/** Where lines go or move, their comments stay or are a reason to offer less. */
const keepsLines = (result: string): boolean => !/^(?:Remove|Move|Merge|Fix all)|modelbench-ignore/.test(result);

describe('a quick fix', () => {
  it.each(CASES)('does the same with other line breaks, and keeps the comments: $name', ({ text }) => {
    const expected = results(text, same);
    expect(results(CRLF(text), (result) => result.replaceAll('\r\n', '\n'))).toEqual(expected);
    const withNotes = results(noted(text), (result) => result.replaceAll(NOTE, ''));
    expect(withNotes.filter(keepsLines)).toEqual(expected.filter(keepsLines));
  });
});
