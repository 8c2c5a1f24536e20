import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { fansOut, joinsOf } from '#model/graph.ts';
import type { ModelIndex } from '#model/index.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { addToSection, newFile } from './new-definition.ts';
import { found } from '#language-server/ide/locations.ts';

/**
 * Creates a view of the cube under the cursor: its public members, and those of the cubes that it joins without multiplying rows,
 * each prefixed with its cube's name. The view gets its own file if the client can create one.
 */
export function extractView(opened: Opened, offset: number, canCreateFiles: boolean): CodeAction[] {
  const at = found(opened, offset);
  const cube = at?.subject.is === 'entity' ? at.subject.entity : undefined;
  if (!cube || cube.kind !== 'cube' || cube.dynamic || opened.root.isStandalone) return [];
  const { index, uri } = opened.root;
  const name = freeName(`${cube.name}_view`, index);
  const file = `${uri}/views/${name}.yml`;
  const isFresh = canCreateFiles && !index.file(file);
  const text = viewText(name, cube, index);
  if (!isFresh && opened.file.language !== 'yaml') return [];
  const edit = isFresh ? newFile(file, text) : addToSection('views', opened, text);
  return [{ title: `Create a view of \`${cube.name}\``, kind: CodeActionKind.RefactorExtract, edit }];
}

function viewText(name: string, cube: EntitySymbol, index: ModelIndex): string {
  const joined = joinsOf(cube, index).filter((step) => step.to !== cube && !fansOut([step]));
  const lines = [
    'views:',
    `  - name: ${name}`,
    '    cubes:',
    `      - join_path: ${cube.name}`,
    '        includes: "*"',
  ];
  for (const { to } of joined)
    lines.push(`      - join_path: ${cube.name}.${to.name}`, '        prefix: true', '        includes: "*"');
  return `${lines.join('\n')}\n`;
}

function freeName(wanted: string, index: ModelIndex): string {
  let name = wanted;
  for (let count = 2; index.entity(name); count++) name = `${wanted}_${count}`;
  return name;
}
