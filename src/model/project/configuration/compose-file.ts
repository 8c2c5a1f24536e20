import { isInside, pathInside } from '#base/path.ts';
import { environmentOf } from './environment-file.ts';
import type { Environment } from './evaluate.ts';

/** The folder of a project in the images of the engine: its working directory. */
const PROJECT = '/cube/conf';

/** A service of a compose file that runs the engine. */
export interface ComposeService {
  /** The variables that the file sets for it. */
  readonly environment: Environment;
  /** Returns where a path of the project is, relative to the compose file; `undefined` if it is not in a folder beside that. */
  readonly onDisk: (path: string) => string | undefined;
}

/**
 * Reads the services of a `docker-compose.yml` that run the engine: what they mount where (`./semantic:/cube/conf/model`) and the
 * variables they set. `beside` has the variables of the `.env` file beside it, which the file may refer to. Only the usual layout of
 * such files is understood, without aliases. Linear in the text; never throws.
 */
export function composeServices(text: string, beside: Environment): readonly ComposeService[] {
  return blocksOf(substituted(text, beside)).flatMap((block) => {
    const mounts = mountsOf(block);
    const environment = new Map([...(readsOwnFile(block) ? beside : []), ...variablesOf(block)]);
    const isEngine =
      mounts.some(({ target }) => isInside(target, PROJECT)) ||
      [...variablesOf(block).keys()].some((name) => name.startsWith('CUBEJS_'));
    if (!isEngine) return [];
    const [, built] = /^[ \t]*(?:build|context):[ \t]*["']?([^"'\s#]+)/m.exec(block) ?? [];
    return [{ environment, onDisk: (path) => sourceOf(`${PROJECT}/${path}`, mounts, built) }];
  });
}

/** A folder or file of the disk that a container sees elsewhere. */
interface Mount {
  readonly source: string;
  readonly target: string;
}

/** Returns the lines of each service. */
function blocksOf(text: string): readonly string[] {
  const [, services = ''] = /^services:[^\n]*\n((?:[ \t]+[^\n]*\n?|[ \t]*\r?\n|#[^\n]*\n)*)/m.exec(text) ?? [];
  const [, indent = '  '] = /^([ \t]+)[^\s#]/m.exec(services) ?? [];
  return services
    .split(new RegExp(`^${indent}(?=[\\w"'.-]+[ \\t]*:[ \\t]*(?:&\\w+[ \\t]*)?(?:#.*)?\\r?$)`, 'm'))
    .slice(1);
}

/** Replaces `$NAME`, `${NAME}` and `${NAME:-default}`. */
function substituted(text: string, values: Environment): string {
  return text.replaceAll(
    /\$(?:\{(\w+)(?::?-([^}\n]*))?[^}\n]*\}|(\w+))/g,
    (_, braced: string | undefined, fallback: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? '';
      return values.get(name) ?? fallback ?? (name === 'PWD' ? '.' : '');
    },
  );
}

function variablesOf(block: string): Environment {
  const lines = [...block.matchAll(/^[ \t]*(?:-[ \t]+)?["']?([A-Z][A-Z0-9_]*)["']?[ \t]*[:=][ \t]*([^\r\n]*)$/gm)];
  return environmentOf(lines.map(([, name = '', value = '']) => `${name}=${closed(value)}`).join('\n'));
}

/** Removes the quote at the end of `"NAME=value"`. */
function closed(value: string): string {
  return /^["']/.test(value) ? value : value.replace(/["'][ \t]*$/, '');
}

/** Checks whether a service gets the variables of the `.env` file beside the compose file. */
function readsOwnFile(block: string): boolean {
  return /env_file:[ \t]*(?:\r?\n[ \t]*-[ \t]*(?:path:[ \t]*)?)?["']?(?:\.\/)?\.env["']?[ \t]*$/m.test(block);
}

function mountsOf(block: string): readonly Mount[] {
  const short = [...block.matchAll(/(?:^[ \t]*-|[[,])[ \t]*["']?([^\s"':,[\]]+):(\/[^\s"':,\]]*)/gm)];
  const items = block.split(/^[ \t]*-[ \t]+/m);
  const long = items.flatMap((item) => {
    const [, source] = /^[ \t]*source:[ \t]*["']?([^\s"']+)/m.exec(item) ?? [];
    const [, target] = /^[ \t]*target:[ \t]*["']?([^\s"']+)/m.exec(item) ?? [];
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  return [...short.map(([, source = '', target = '']) => ({ source, target })), ...long].map(({ source, target }) => ({
    source,
    target: target.replace(/(?<=.)\/$/, ''),
  }));
}

/** Returns where a path in a container is on the disk: below the innermost mount, or else in the folder its image is built from. */
function sourceOf(path: string, mounts: readonly Mount[], built: string | undefined): string | undefined {
  const [innermost] = mounts
    .filter(({ target }) => isInside(path, target))
    .sort((one, other) => other.target.length - one.target.length);
  if (!innermost) return built === undefined ? undefined : joined(built, pathInside(path, PROJECT) ?? '');
  // Without a dot at its start it is a volume of Docker's own, with a slash a folder of the machine.
  if (!innermost.source.startsWith('.')) return undefined;
  return joined(innermost.source, pathInside(path, innermost.target) ?? '');
}

function joined(folder: string, path: string): string {
  return path === '' ? folder : `${folder}/${path}`;
}
