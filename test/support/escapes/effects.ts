import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';

/** The traces of an escape: a file, a connection, or a secret in the engine's output. */
export interface Effects {
  /** Returns JavaScript that acts on a given `process` in every possible way. */
  readonly use: (name: string) => string;
  /** Returns the same as one expression without braces or double quotes, for YAML and templates. */
  readonly act: (name: string, process: string) => string;
  /** Returns what a case of this name achieved, given all output of the engine. */
  readonly breaches: (name: string, said: string) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A file outside of the model with a secret. */
  readonly secretFile: string;
  readonly port: number;
  close(): void;
}

const SECRET = 'secret-of-this-machine';
const ESCAPED = 'ESCAPED';
/** Far more than any case that ends. */
const MOST_ATTEMPTS = 10_000;

export async function watchEffects(): Promise<Effects> {
  const folder = mkdtempSync(join(tmpdir(), 'escapes-'));
  const secretFile = join(folder, 'secret.txt');
  writeFileSync(secretFile, SECRET);
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = (name: string): string => join(folder, `${name.replaceAll(/\W+/g, '-')}.written`);
  return {
    // Callers lead to the case itself or to its runner, which would run again and again: there is no escape that way.
    use: (name) => `function use(p) {
      if (!p || (typeof p !== 'object' && typeof p !== 'function')) return;
      if (typeof p === 'function' && String(p).indexOf('function use(p)') !== -1) return;
      var counter = ${JSON.stringify(`attempts of ${name}`)};
      globalThis[counter] = (globalThis[counter] || 0) + 1;
      if (globalThis[counter] > ${MOST_ATTEMPTS}) return;
      var said = [];
      var get = function (id) { return p.getBuiltinModule ? p.getBuiltinModule(id) : p.mainModule ? p.mainModule.require(id) : p(id); };
      try { if (p.env && p.env.ESCAPE_SECRET) said.push(p.env.ESCAPE_SECRET); } catch (e) {}
      try { get('fs').writeFileSync(${JSON.stringify(file(name))}, 'x'); } catch (e) {}
      try { said.push(get('fs').readFileSync(${JSON.stringify(secretFile)}, 'utf8')); } catch (e) {}
      try { get('net').connect(${port}, '127.0.0.1').on('error', function () {}); } catch (e) {}
      try { get('child_process').execSync('echo x > ' + ${JSON.stringify(file(name))}); } catch (e) {}
      if (p.pid !== undefined || said.length > 0) throw new Error('${ESCAPED} ' + said.join(' '));
    }\n`,
    act: (name, process) => `${process}.getBuiltinModule('fs').writeFileSync('${file(name)}','x')`,
    breaches: (name, said) => [
      ...(existsSync(file(name)) ? [`${name}: wrote a file`] : []),
      ...(said.includes(SECRET) ? [`${name}: read a secret`] : []),
      ...(said.includes(ESCAPED) ? [`${name}: reached the process`] : []),
      ...(connections > 0 ? [`${name}: reached the network`] : []),
    ],
    environment: { ESCAPE_SECRET: SECRET },
    secretFile,
    port,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
