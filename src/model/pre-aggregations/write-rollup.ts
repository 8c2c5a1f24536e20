import { err, ok, type Result } from '#base/result.ts';
import type { ModelFile } from '../file.ts';
import { classifyBlocks } from '../proposed/classify-blocks.ts';
import type { ProposedRollup } from './rules.ts';

/** A file with a rollup added, and the definition alone. */
export interface WrittenRollup {
  readonly text: string;
  readonly definition: string;
}

const LONGEST_NAME = 40;

/**
 * Returns a name that describes a rollup's contents: `count_by_status_day`. `taken`: names of all members and pre-aggregations of
 * its cube.
 */
export function rollupName(rollup: ProposedRollup, taken: ReadonlySet<string>): string {
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
  const groups = [...rollup.dimensions.map(last), ...rollup.timeDimensions.map(({ granularity }) => granularity)];
  const measures = rollup.measures.length === 1 ? rollup.measures.map(last) : ['rollup'];
  const full = [...measures, ...(groups.length > 0 ? ['by', ...groups] : ['in_all'])].join('_');
  const wanted = full.length <= LONGEST_NAME && /^[A-Za-z_]\w*$/.test(full) ? full : 'rollup';
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
  return name;
}

/** Adds a rollup to its cube in the file that defines it; the error explains why the user must do it. */
export function writeRollup(file: ModelFile, rollup: ProposedRollup, name: string): Result<WrittenRollup, string> {
  const definition = file.language === 'script' ? scriptText(rollup, name) : yamlText(rollup, name);
  const language = file.language === 'script' ? 'javascript' : 'yaml';
  const classified = classifyBlocks(file.path, file.text, [{ language, text: definition, above: '' }]);
  switch (classified.kind) {
    case 'change':
      return ok({ text: classified.text, definition });
    case 'draft':
      return err(classified.reason);
    default:
      return err('The file cannot be changed automatically.');
  }
}

function yamlText(
  { cube, measures, dimensions, segments, timeDimensions, isStrict }: ProposedRollup,
  name: string,
): string {
  const list = (key: string, members: readonly string[]): readonly string[] =>
    members.length === 0 ? [] : [`        ${key}:`, ...members.map((member) => `          - ${reference(member)}`)];
  const [time, ...more] = timeDimensions;
  const times =
    time === undefined
      ? []
      : more.length === 0
        ? [`        time_dimension: ${reference(time.dimension)}`, `        granularity: ${time.granularity}`]
        : [
            '        time_dimensions:',
            ...timeDimensions.flatMap(({ dimension, granularity }) => [
              `          - dimension: ${reference(dimension)}`,
              `            granularity: ${granularity}`,
            ]),
          ];
  return [
    'cubes:',
    `  - name: ${cube}`,
    '    pre_aggregations:',
    `      - name: ${name}`,
    ...list('measures', measures),
    ...list('dimensions', dimensions),
    ...list('segments', segments),
    ...times,
    ...(isStrict ? ['        allow_non_strict_date_range_match: false'] : []),
    '',
  ].join('\n');
}

function scriptText(
  { cube, measures, dimensions, segments, timeDimensions, isStrict }: ProposedRollup,
  name: string,
): string {
  const list = (key: string, members: readonly string[]): readonly string[] =>
    members.length === 0 ? [] : [`      ${key}: [${members.map(reference).join(', ')}],`];
  const [time, ...more] = timeDimensions;
  const times =
    time === undefined
      ? []
      : more.length === 0
        ? [`      timeDimension: ${reference(time.dimension)},`, `      granularity: \`${time.granularity}\`,`]
        : [
            '      timeDimensions: [',
            ...timeDimensions.map(
              ({ dimension, granularity }) =>
                `        { dimension: ${reference(dimension)}, granularity: \`${granularity}\` },`,
            ),
            '      ],',
          ];
  return [
    `cube(\`${cube}\`, {`,
    '  preAggregations: {',
    `    ${name}: {`,
    ...list('measures', measures),
    ...list('dimensions', dimensions),
    ...list('segments', segments),
    ...times,
    ...(isStrict ? ['      allowNonStrictDateRangeMatch: false,'] : []),
    '    },',
    '  },',
    '});',
    '',
  ].join('\n');
}

/** Returns a reference: the cube's own members by `CUBE`, so that renaming the cube does not affect them. */
function reference(member: string): string {
  return member.includes('.') ? member : `CUBE.${member}`;
}
