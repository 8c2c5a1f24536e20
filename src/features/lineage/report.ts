import { capitalized, plural } from '#base/words.ts';
import { fileDifferenceText, type FileDifference } from '#features/folders/index.ts';
import { goneNames, isLoss, type ModelImpact, queryLine, wholeLine } from './model-changes.ts';
import type { ModelDiffLine } from '#features/review/index.ts';
import type { WorkspaceUse } from '#features/language/messages.ts';

export interface ImpactReport {
  readonly from: string;
  readonly to: string;
  readonly build: string;
  readonly files: readonly FileDifference[];
  readonly model: ModelImpact;
  readonly usedBy: readonly WorkspaceUse[];
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
    ...section('What changes for users', model.changes.map(wholeLine), 'Nothing changes for queries.'),
    ...section(
      'What it breaks in the model',
      model.broken.map(({ names, owner, path, key }) => `\`${names}\` in ${key} of ${owner} (${path})`),
      'Nothing known.',
    ),
    ...section('Query files that use it', model.queries.map(queryLine), 'None.'),
    ...section(
      'What it breaks in the workspace',
      breaking(usedBy, model).map(usedLine),
      'No report, workbook or dashboard that the platform lists uses a removed name.',
    ),
    ...section(
      'What may show other results in the workspace',
      following(usedBy, model).map(usedLine),
      'No report, workbook or dashboard that the platform lists uses a redefined name.',
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

function usedLine({ type, name, names }: WorkspaceUse): string {
  return `${type} **${name}** uses ${names.map((each) => `\`${each}\``).join(', ')}`;
}

/** Returns the items that use a name which is gone, with just these names. */
function breaking(usedBy: readonly WorkspaceUse[], model: ModelImpact): readonly WorkspaceUse[] {
  const gone = new Set(goneNames(model));
  return only(usedBy, (name) => gone.has(name));
}

/** Returns the items that use a redefined name or one that depends on it, with just these names. */
function following(usedBy: readonly WorkspaceUse[], model: ModelImpact): readonly WorkspaceUse[] {
  const gone = new Set(goneNames(model));
  return only(usedBy, (name) => !gone.has(name));
}

function only(usedBy: readonly WorkspaceUse[], isWanted: (name: string) => boolean): readonly WorkspaceUse[] {
  return usedBy.flatMap((use) => {
    const names = use.names.filter(isWanted);
    return names.length === 0 ? [] : [{ ...use, names }];
  });
}

/** Returns a line for each item of the workspace that uses something deleted or redefined. */
export function usageLines({ usedBy, model }: ImpactReport): readonly ModelDiffLine[] {
  return [
    ...breaking(usedBy, model).map(({ type, name, names }): ModelDiffLine => ({
      severity: 'warning',
      text: `${type} “${name}” uses ${names.join(', ')}`,
    })),
    ...following(usedBy, model).map(({ type, name, names }): ModelDiffLine => ({
      severity: 'info',
      text: `${type} “${name}” may show other results for ${names.join(', ')}`,
    })),
  ];
}

/**
 * Summarizes the report for a page that lists the files itself. Files are left out, because the page counts a rename as one change
 * and the comparison of branches as two.
 */
export function impactSummary({ model, usedBy }: Pick<ImpactReport, 'model' | 'usedBy'>): string {
  const lost = model.changes.filter(isLoss).length;
  const redefined = model.changes.filter((change) => change.kind === 'redefined' && change.keys.length > 0).length;
  const used = breaking(usedBy, model);
  const parts = [
    lost === 0 ? 'no name that queries can use is lost' : `${plural(lost, 'name')} changed or gone`,
    redefined === 0 ? '' : `${plural(redefined, 'definition')} changed`,
    model.broken.length === 0 ? '' : `${plural(model.broken.length, 'reference')} broken in the model`,
    used.length === 0 ? '' : `still used by ${hitText(used)}`,
  ].filter((part) => part !== '');
  return `${capitalized(parts.join('; '))}.`;
}

/** Items beyond this number are only counted. */
const mostNamed = 3;

function hitText(usedBy: readonly WorkspaceUse[]): string {
  const named = usedBy.slice(0, mostNamed).map(({ type, name }) => `${type} “${name}”`);
  const rest = usedBy.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}
