// npm run test:completions: parses the completion script for PowerShell with VS Code's grammar for it, from the registry. No
// registry that npm test may use has PowerShell itself for Linux.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../esbuild.mjs';
import { root } from './run.ts';

const packages = { '@vscode/tree-sitter-wasm': '0.3.1', 'web-tree-sitter': '0.27.2' };

interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly hasError: boolean;
  readonly children: readonly SyntaxNode[];
}

interface Grammars {
  readonly Parser: (new () => {
    setLanguage: (language: unknown) => void;
    parse: (text: string) => { readonly rootNode: SyntaxNode };
  }) & { readonly init: () => Promise<void> };
  readonly Language: { readonly load: (path: string) => Promise<unknown> };
}

await build({ production: true });
const script = execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'completion', 'powershell'], {
  encoding: 'utf8',
});
const folder = installed();
const library = createRequire(join(folder, 'package.json')).resolve('web-tree-sitter');
const { Parser, Language } = (await import(pathToFileURL(library).href)) as Grammars;
await Parser.init();
const parser = new Parser();
parser.setLanguage(
  await Language.load(join(folder, 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm')),
);
const tree = parser.parse(script).rootNode;
if (tree.hasError) throw new Error('The completion script is not PowerShell.');
// Without one of its braces the script must be rejected.
if (!parser.parse(script.replace('}\n', '\n')).rootNode.hasError) throw new Error('The grammar accepts anything.');
const commands = new Set(namesIn(tree));
if (!commands.has('Register-ArgumentCompleter')) throw new Error('The completion script registers nothing.');
// What is typed must not run.
if (commands.has('Invoke-Expression')) throw new Error('The completion script evaluates a text.');
console.log(`The grammar accepts the script for PowerShell, which calls ${[...commands].join(', ')}.`);

function namesIn(node: SyntaxNode): readonly string[] {
  return [...(node.type === 'command_name' ? [node.text] : []), ...node.children.flatMap(namesIn)];
}

/** Returns the folder with the grammar and its parser, which are installed once. */
function installed(): string {
  const own = join(root, '.cache', `powershell-grammar-${Object.values(packages).join('-')}`);
  if (existsSync(join(own, 'node_modules'))) return own;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  const exact = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', ...flags, ...exact], { cwd: own });
  return own;
}
