import { readFileSync } from 'node:fs';
import { demo } from '#platform/seed/names.ts';
import type { LinkedProject } from './linked-project.ts';

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

/** A command of a skill with its end. */
export interface Step {
  readonly command: string;
  readonly code: number;
  readonly out: string;
}

/** Follows a skill to the letter: its commands in their order, with the placeholders filled in. */
export async function follow(
  skill: string,
  project: LinkedProject,
  values: Readonly<Record<string, string>>,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let plan = '';
  for (const [program = '', ...args] of commandsOf(skill)) {
    if (program !== 'modelbench') throw new Error(`${program} is not modelbench.`);
    if (args[0] === 'builds' || args[0] === 'query')
      await project.platform.control.buildSettled(demo.shop, project.branch);
    const { code, out, err } = await project.run(...args.map((each) => filled(each, { ...values, PLAN: plan })));
    const command = args.join(' ');
    if (code > 1) throw new Error(`${command}: ${err}`);
    plan = /^Plan (\w+)$/m.exec(out)?.[1] ?? plan;
    steps.push({ command, code, out });
  }
  return steps;
}

/** Returns what the last run of a command wrote. */
export function outOf(steps: readonly Step[], command: string): string {
  return steps.findLast((step) => step.command.startsWith(command))?.out ?? `not run: ${command}`;
}

/** Follows the skill that adds a measure `double_count` to a cube of its file, and returns what must have come of it. */
export async function addDoubleCount(
  project: LinkedProject,
  at: Readonly<Record<'CUBE' | 'FILE' | 'OLD' | 'NEW', string>>,
): Promise<object> {
  const named = { WORDS: at.CUBE, BASE: 'count', MEASURE: 'double_count', BRANCH: project.branch };
  const steps = await follow('modelbench-add-measure', project, { ...named, ...at });
  return {
    failed: steps.filter(({ code }) => code !== 0).map(({ command }) => command),
    isInImpact: outOf(steps, 'impact').includes(`${at.CUBE}.double_count`),
    isCounted: new RegExp(`^${at.CUBE}\\.double_count\\n\\d+\\n`).test(outOf(steps, 'query')),
    isPushed: (await project.remote(at.FILE))?.includes('double_count') === true,
  };
}

/** What {@link addDoubleCount} returns where all of the skill worked. */
export const added = { failed: [], isInImpact: true, isCounted: true, isPushed: true };
