import { readFileSync } from 'node:fs';

/** The folder of the skills that the extension ships. */
export const skillsFolder = 'media/skills';

/** Returns the commands of a skill in order, each as its arguments, including placeholders. */
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

/** Returns the code blocks of one language in a Markdown text, without the indentation of a surrounding list item. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indentation = '', block = '']) => block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

/** Replaces each placeholder (a word in capitals) in an argument or a text. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\b[A-Z][A-Z_]+\b/g, (name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The test has no value for ${name}.`);
    return value;
  });
}

/** Splits a command line as a shell does; supports quotes of both kinds, no escapes. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? '');
}
