import { readFileSync } from 'node:fs';

/** The folder of the skills as the extension ships them. */
export const skillsFolder = 'media/skills';

/** The commands of a skill in their order, each as its arguments, placeholders included. */
export function commandsOf(skill: string): readonly (readonly string[])[] {
  const text = readFileSync(`${skillsFolder}/${skill}/SKILL.md`, 'utf8');
  return blocksOf(text, 'sh').flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map(words),
  );
}

/** The blocks of one language in a Markdown text, without the indentation of the list item around them. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indentation = '', block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

/** An argument or a text with each placeholder (a word in capitals) replaced. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\b[A-Z][A-Z_]+\b/g, (name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The test has no value for ${name}.`);
    return value;
  });
}

/** A command line as a shell splits it; quotes of both kinds, no escapes. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? '');
}
