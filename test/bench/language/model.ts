/** The reference model of the language bench: regular, and about 14 KB an entity. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const DIMENSIONS = 27;
const MEASURES = 20;

/** `cubes` cubes that all join to a hub, and a view for every fifth of them, one entity a file: 500 are about 7 MB. */
export function generateModel(cubes: number): readonly GeneratedFile[] {
  const files: GeneratedFile[] = [{ path: 'cubes/hub.yml', text: `cubes:\n${HUB}` }];
  for (let at = 0; at < cubes; at++) files.push({ path: `cubes/c${at}.yml`, text: `cubes:\n${cube(at, cubes)}` });
  for (let at = 0; at < cubes / 5; at++) files.push({ path: `views/v${at}.yml`, text: `views:\n${view(at, cubes)}` });
  return files;
}

/** The same model in one file. */
export function generateOneFile(cubes: number): string {
  const parts = ['cubes:\n', HUB];
  for (let at = 0; at < cubes; at++) parts.push(cube(at, cubes));
  parts.push('views:\n');
  for (let at = 0; at < cubes / 5; at++) parts.push(view(at, cubes));
  return parts.join('');
}

/** A cube that every other one joins to; its member `code` is used all over the model. */
const HUB = `  - name: hub
    sql_table: warehouse.schema.hub
    dimensions:
      - name: code
        sql: code
        type: string
        primary_key: true

`;

function cube(at: number, count: number): string {
  const next = (at + 1) % count;
  const lines = [
    `  - name: c${at}`,
    `    sql_table: warehouse.schema.table_${at}`,
    `    title: Cube number ${at}`,
    `    description: A cube of the reference model, number ${at}, which joins to the next one.`,
    '    joins:',
    `      - name: c${next}`,
    '        relationship: many_to_one',
    `        sql: "{CUBE}.d1 = {c${next}.id}"`,
    '      - name: hub',
    '        relationship: many_to_one',
    '        sql: "{CUBE}.hub_code = {hub.code}"',
    '    dimensions:',
    '      - name: id',
    '        sql: id',
    '        type: number',
    '        primary_key: true',
  ];
  for (let d = 1; d < DIMENSIONS; d++) {
    const type = d % 7 === 0 ? 'time' : 'string';
    lines.push(
      `      - name: d${d}`,
      `        title: Dimension ${d}`,
      `        description: The dimension ${d} of the cube ${at}, for grouping and filtering.`,
      `        sql: "CASE WHEN {CUBE}.col_${d} IS NULL THEN {id} ELSE {CUBE.id} END"`,
      `        type: ${type}`,
    );
  }
  lines.push('    measures:', '      - name: count', '        type: count', '        drill_members: [id, d1, d2]');
  for (let m = 1; m < MEASURES; m++) {
    lines.push(
      `      - name: m${m}`,
      `        title: Measure ${m}`,
      `        description: The measure ${m} of the cube ${at}, an aggregate over its rows.`,
      `        sql: "{CUBE.d${m}} + {c${next}.d1} * 2"`,
      '        type: sum',
      '        format: currency',
      '        filters:',
      `          - sql: "{CUBE.d2} = 'value ${m}'"`,
    );
  }
  lines.push(
    '    pre_aggregations:',
    '      - name: main',
    '        measures: [count, m1, m2]',
    `        dimensions: [d1, d2, c${next}.d1, hub.code]`,
    '        time_dimension: d7',
    '        granularity: day',
    '',
  );
  return `${lines.join('\n')}\n`;
}

function view(at: number, count: number): string {
  const cubes = Array.from({ length: 4 }, (_, offset) => (at * 5 + offset) % count);
  const lines = [`  - name: v${at}`, `    title: View number ${at}`, '    cubes:'];
  lines.push(`      - join_path: c${cubes[0]}.hub`, '        prefix: true', '        includes: [code]');
  for (const number of cubes) {
    lines.push(
      `      - join_path: c${number}`,
      '        prefix: true',
      '        includes:',
      ...Array.from({ length: DIMENSIONS - 1 }, (_, d) => `          - d${d + 1}`),
      ...Array.from(
        { length: MEASURES - 1 },
        (_, m) =>
          `          - name: m${m + 1}\n            title: Measure ${m + 1} of the view\n            description: The measure as the view ${at} shows it, with words of its own.`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}
