// npm run new:diagnostic -- empty-cube "Cube without members": a diagnostic with its code, page, rule and cases.
import { parseArgs } from 'node:util';
import { mustRun, root } from '../run.ts';
import {
  CallError,
  insertBefore,
  literal,
  runTool,
  type Skeleton,
  Sources,
  withImport,
  writeSkeleton,
} from './skeleton.ts';

const usage = `Usage: npm run new:diagnostic -- CODE "Title" [options]
  CODE        in lower case with hyphens, for example empty-cube
  --severity  error | warning | information | hint; warning unless said otherwise, error only where the engine refuses
  --help-text why it matters and what to do, for its page`;

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** The arguments of the tool. */
export interface NewDiagnostic {
  readonly code: string;
  readonly title: string;
  readonly severity?: string | undefined;
  /** The body of its page. */
  readonly help?: string | undefined;
}

/** Returns everything that a diagnostic needs: its code, setting, row in the docs and rule, and a page with an example for it. */
export function newDiagnostic(sources: Sources, wanted: NewDiagnostic): Skeleton {
  const { code, title, severity = 'warning', help = 'Say here why it matters and what to do.' } = wanted;
  if (!/^[a-z]+(-[a-z]+)*$/.test(code)) throw new CallError(`“${code}” is not a code: write it like empty-cube.`);
  if (title.trim() === '') throw new CallError('The diagnostic needs a title.');
  if (!(severities as readonly string[]).includes(severity))
    throw new CallError(`“${severity}” is not a severity: choose one of ${severities.join(', ')}.`);
  const table = 'src/model/codes.ts';
  const list = 'src/model/checks/check.ts';
  const rule = `src/model/checks/${code}.ts`;
  const page = `media/diagnostics/${code}.md`;
  if (new RegExp(`^ {2}'?${code}'?: code\\(`, 'm').test(sources.read(table)))
    throw new CallError(`There is a diagnostic ${code} already.`);
  for (const path of [rule, page]) if (sources.has(path)) throw new CallError(`${path} is there already.`);
  const check = `check${code.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
  const entry = `  '${code}': code('${severity}', ${literal(title)}, ${literal(help)}),`;
  return {
    files: new Map([
      [
        table,
        insertBefore(
          sources.read(table),
          /^\} as const satisfies Record<string, CodeInfo>;$/m,
          entry,
          `end of the codes`,
        ),
      ],
      [
        list,
        withImport(
          insertBefore(
            sources.read(list),
            /^ *\.\.\.chunk\.entities\.flatMap\(\(entity\) => /m,
            `      ...${check}(chunk),`,
            'list of checks of a chunk',
          ),
          `import { ${check} } from './${code}.ts';`,
        ),
      ],
      ['package.json', withSetting(sources.read('package.json'), code)],
      ['docs/model-language.md', withRow(sources.read('docs/model-language.md'), code, title, severity)],
      [rule, ruleText(check, code, title)],
      [page, pageText(title)],
    ]),
    next: [
      `put a wrong model, what is reported for it and the right model into ${page}: test/unit/model/diagnostics.test.ts reads them`,
      `write the rule in ${rule}`,
      `a rule that needs the rest of the model belongs to modelProblems of ${list}`,
      `after a change of title, help or severity run node test/tools/language-files.ts`,
      ...(wanted.help === undefined ? [`say in ${table} why it matters and what to do`] : []),
      'CHANGELOG.md tells users of it',
    ],
  };
}

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
  };
}

/** Adds a code to the setting of severities in the manifest. */
function withSetting(text: string, code: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const name = 'modelbench.language.severity';
  const configuration = manifest.contributes.configuration.map((section) => {
    const setting = section.properties[name];
    if (!setting) return section;
    const { enum: known } = setting['propertyNames'] as { readonly enum: readonly string[] };
    const propertyNames = { ...(setting['propertyNames'] as object), enum: [...known, code].sort() };
    return { ...section, properties: { ...section.properties, [name]: { ...setting, propertyNames } } };
  });
  const contributes = { ...manifest.contributes, configuration };
  return `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`;
}

/** Adds a row to the table of the docs, sorted by name. */
function withRow(text: string, code: string, title: string, severity: string): string {
  const row = `| [${code}](../media/diagnostics/${code}.md): ${title} | ${severity} |`;
  const rows = [...text.matchAll(/^\| \[([a-z-]+)\]\(\.\.\/media\/diagnostics\/.*$/gm)];
  const next = rows.find(([, name = '']) => name > code);
  const last = rows.at(-1);
  if (!last) throw new Error('docs/model-language.md lists no diagnostics any more: change test/tools/skeletons.');
  const at = next ? next.index : last.index + last[0].length + 1;
  return `${text.slice(0, at)}${row}\n${text.slice(at)}`;
}

const ruleText = (check: string, code: string, title: string): string => `import type { Problem } from '../codes.ts';
import type { Chunk } from '../chunk.ts';

type Entity = Chunk['entities'][number];

/** Reports “${title}”. Offsets are those of the chunk. */
export function ${check}({ entities }: Chunk): Problem[] {
  return entities.filter(isWrong).map(({ node: { start, end } }): Problem => {
    return { code: '${code}', start, end, message: ${literal(title)} };
  });
}

function isWrong(_entity: Entity): boolean {
  return false;
}
`;

/** Returns the example of a page; the rest of the page is generated from the table of codes. */
const pageText = (title: string): string => `# ${title}

## Example

\`\`\`yaml
cubes:
  - name: orders
    sql_table: orders
\`\`\`

> - Line 2, \`name: orders\`: ${title}

Correct:

\`\`\`yaml
cubes:
  - name: orders
    sql_table: orders
\`\`\`

## Switch it off
`;

if (import.meta.main) {
  await runTool(usage, async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { severity: { type: 'string' }, 'help-text': { type: 'string' } },
    });
    const [code = '', title = ''] = positionals;
    const wanted = { code, title, severity: values.severity, help: values['help-text'] };
    const said = await writeSkeleton(root, newDiagnostic(new Sources(root), wanted));
    await mustRun('node', ['test/tools/language-files.ts']);
    return said;
  });
}
