// node test/tools/language-files.ts: writes the files that are generated from the language table and the codes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { agentSchema } from '../../src/model/agents/agent-schema.ts';
import { codes } from '../../src/model/codes.ts';
import { helpSchema, jsonSchema } from '../../src/model/json-schema.ts';
import { querySchema } from '../../src/model/query-files/query-schema.ts';

/** Returns path → text of every generated file; a test keeps the committed ones equal. */
export function languageFiles(): ReadonlyMap<string, string> {
  const files = new Map([
    ['media/schema/model.schema.json', `${JSON.stringify(jsonSchema())}\n`],
    // It is not meant to be read: on one line it is a third of the size.
    ['media/schema/model-help.schema.json', `${JSON.stringify(helpSchema())}\n`],
    ['media/schema/agents.schema.json', `${JSON.stringify(agentSchema())}\n`],
    ['media/schema/query.schema.json', `${JSON.stringify(querySchema())}\n`],
  ]);
  for (const [code, { title, help, severity }] of Object.entries(codes)) {
    const path = `media/diagnostics/${code}.md`;
    const lines = [`# ${title}`, '', `Code \`${code}\` · ${severity}`, '', help, '', ...exampleIn(path)];
    lines.push('## Switch it off', '');
    lines.push(
      `- for one line: \`# modelbench-ignore: ${code}\` on it or above it (\`//\` in JavaScript)`,
      `- for a file: \`# modelbench-ignore-file: ${code}\``,
    );
    lines.push(
      `- everywhere: \`"modelbench.language.severity": { "${code}": "off" }\` in the settings (or another severity)`,
      '',
    );
    files.set(path, lines.join('\n'));
  }
  return files;
}

/** Returns the lines of the handwritten example in a page; none if it has none. */
function exampleIn(path: string): readonly string[] {
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [example = ''] = /^## Example\n[\s\S]*?(?=^## )/m.exec(page) ?? [];
  return example === '' ? [] : example.trimEnd().split('\n').concat('');
}

if (import.meta.main) {
  for (const [path, text] of languageFiles()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
