import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** The fields of a syntax node that the walk reads. */
interface Syntax {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Returns the icons that VS Code can draw: the names of the codicons in the oldest supported version. */
export function knownIcons(): ReadonlySet<string> {
  const library = readFileSync(
    new URL('../../node_modules/@vscode/codicons/dist/codiconsLibrary.ts', import.meta.url),
    'utf8',
  );
  return new Set(Array.from(library.matchAll(/register\('([^']+)'/g), ([, name = '']) => name));
}

/**
 * Returns the icons that a source file names: `$(id)` in a text, and every literal that is the value of something called an icon.
 */
export function iconsIn(path: string, source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '');
  const found = new Set(Array.from(code.matchAll(/\$\(([a-z][a-z0-9-]*)(?:~[a-z]+)?\)/g), ([, name = '']) => name));
  if (!/icon/i.test(code)) return [...found];
  const visit = (value: unknown, isIcon: boolean): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, isIcon);
      return;
    }
    if (!isSyntax(value)) return;
    if (value.type === 'Literal' && isIcon) {
      const [, name] = /^([a-z][a-z0-9-]*)(?:~[a-z]+)?$/.exec(String(value['value'])) ?? [];
      if (name !== undefined && typeof value['value'] === 'string') found.add(name);
    }
    const keys = iconKeys(value, isIcon);
    for (const [key, child] of Object.entries(value)) visit(child, keys.includes(key));
  };
  visit(parseSync(path, source).program, false);
  return [...found];
}

/** The children that can contain icons, by type of node; tests of conditions and colours cannot. */
const iconChildren: Readonly<Record<string, readonly string[]>> = {
  BlockStatement: ['body'],
  ConditionalExpression: ['consequent', 'alternate'],
  IfStatement: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  ObjectExpression: ['properties'],
  ReturnStatement: ['argument'],
  SwitchCase: ['consequent'],
  SwitchStatement: ['cases'],
  TSAsExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
};

/** Returns the children of a node whose literals are icons. */
function iconKeys(node: Syntax, isIcon: boolean): readonly string[] {
  switch (node.type) {
    case 'Property':
      return isNamed(node['key'], /^icon(?:Path)?$/) || (isIcon && !isNamed(node['key'], /^color$/)) ? ['value'] : [];
    case 'VariableDeclarator':
      return isNamed(node['id'], /icons?$/i) ? ['init'] : [];
    case 'FunctionDeclaration':
      return isNamed(node['id'], /icon(?:Of)?$/i) ? ['body'] : [];
    case 'CallExpression':
    case 'NewExpression':
      return isNamed(node['callee'], /^(?:ThemeIcon|withIcon)$/) ? ['arguments'] : [];
    default:
      return isIcon ? (iconChildren[node.type] ?? []) : [];
  }
}

/** Whether a node is a name, a key in quotes, or the last name of `a.b`, and matches. */
function isNamed(node: unknown, pattern: RegExp): boolean {
  if (!isSyntax(node)) return false;
  const { name, value, property } = node;
  return [name, value].some((text) => typeof text === 'string' && pattern.test(text)) || isNamed(property, pattern);
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
