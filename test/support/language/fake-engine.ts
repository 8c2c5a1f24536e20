import type { EngineError, EngineFile } from '#language-server/engine/messages.ts';
import type { Engine } from '#language-server/host.ts';
import { defaultLanguageSettings, type LanguageSettings } from '#features/language/messages.ts';
import { ROOT, Session } from './session.ts';

/** A small model that the engine accepts. */
export const ORDERS = `cubes:
  - name: orders
    sql_table: t
    dimensions:
      - name: id
        sql: id
        type: number
      - name: status
        sql: status
        type: string
  - name: users
    sql_table: u
`;
export const orders = `${ROOT}/orders.yml`;
export const onSave: LanguageSettings = { ...defaultLanguageSettings, engineCheck: 'onSave' };

/** Returns `errors` for every check, and records its input. */
export class FakeEngine implements Engine {
  readonly asked: (readonly EngineFile[])[] = [];
  errors: readonly EngineError[] = [];
  canCompile(): boolean {
    return true;
  }
  async check(_root: string, files: readonly EngineFile[]): Promise<readonly EngineError[]> {
    this.asked.push(files);
    return this.errors;
  }
}

/** Starts a session over a folder of `files`. */
export async function started(
  engine: Engine,
  files: Readonly<Record<string, string>> = { 'orders.yml': ORDERS },
  settings = onSave,
): Promise<Session> {
  return Session.start(files, { settings }, [], engine);
}
