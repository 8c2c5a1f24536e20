import { capitalized, plural } from '#base/words.ts';
import { fileDifferenceText, type FileDifference } from '#features/folders/index.ts';
import { changeLine, type ModelImpact } from './model-changes.ts';
import type { MeaningLine } from '#features/review/index.ts';
import type { UsedBy } from '#features/language/index.ts';

export interface ImpactReport {
  readonly from: string;
  readonly to: string;
  readonly build: string;
  readonly files: readonly FileDifference[];
  readonly model: ModelImpact;
  readonly usedBy: readonly UsedBy[];
}

/** Formats the whole review as Markdown, to be read before production changes. */
export function impactText({ from, to, build, files, model, usedBy }: ImpactReport): string {
  const section = (title: string, lines: readonly string[], none: string): readonly string[] => [
    `## ${title}`,
    '',
    ...(lines.length === 0 ? [none] : lines.map((line) => `- ${line}`)),
    '',
  ];
  return [
    `# ${from} → ${to}`,
    '',
    `Build of \`${from}\`: ${build}. ${capitalized(fileDifferenceText(files))}.`,
    '',
    ...section('What changes for users', model.changes.map(changeLine), 'No name that queries can use changes.'),
    ...section(
      'What it breaks in the model',
      model.broken.map(({ names, owner, path, key }) => `\`${names}\` in ${key} of ${owner} (${path})`),
      'Nothing known.',
    ),
    ...section(
      'What it breaks in the workspace',
      usedBy.map(
        ({ type, name, names }) => `${type} **${name}** uses ${names.map((each) => `\`${each}\``).join(', ')}`,
      ),
      'No report, workbook or dashboard that the platform lists uses a removed name.',
    ),
    ...section(
      'Files',
      files.map(({ path, change }) => `${change} ${path}`),
      'No file differs.',
    ),
    ...(model.incomplete
      ? [
          'Parts of the model are computed when it runs (templates, code). What only they define or use is not listed here.',
          '',
        ]
      : []),
  ].join('\n');
}

/** Returns a line for each item of the workspace that uses something deleted. */
export function usageLines({ usedBy }: ImpactReport): readonly MeaningLine[] {
  return usedBy.map(({ type, name, names }) => ({
    severity: 'warning',
    text: `${type} “${name}” uses ${names.join(', ')}`,
  }));
}

/** Summarizes the report for a question. */
export function impactSummary({ files, model, usedBy }: ImpactReport): string {
  const lost = model.changes.filter(({ kind }) => kind !== 'added').length;
  const parts = [
    fileDifferenceText(files),
    lost === 0 ? 'no name that queries can use is lost' : `${plural(lost, 'name')} changed or gone`,
    model.broken.length === 0 ? '' : `${plural(model.broken.length, 'reference')} broken in the model`,
    usedBy.length === 0 ? '' : `still used by ${hitText(usedBy)}`,
  ].filter((part) => part !== '');
  return `${capitalized(parts.join('; '))}.`;
}

/** Items beyond this number are only counted. */
const mostNamed = 3;

function hitText(usedBy: readonly UsedBy[]): string {
  const named = usedBy.slice(0, mostNamed).map(({ type, name }) => `${type} “${name}”`);
  const rest = usedBy.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}
