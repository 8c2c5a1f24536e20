/**
 * Replaces the modules of Node that the engine's packages load but that compiling a model never uses: no disk, no processes, no
 * network, no streams. Functions that only read something return an empty value; those that would act throw.
 */
export class EventEmitter {
  on(): this {
    return this;
  }
  once(): this {
    return this;
  }
  off(): this {
    return this;
  }
  emit(): boolean {
    return false;
  }
}
export class Readable extends EventEmitter {}
export class Writable extends EventEmitter {}
export class Transform extends EventEmitter {}
export class PassThrough extends EventEmitter {}
export class PerformanceObserver {
  observe(): void {}
  disconnect(): void {}
}
export const performance = { now: (): number => Date.now(), timeOrigin: 0, timerify: <T>(value: T): T => value };
export const existsSync = (): boolean => false;
export const isatty = (): boolean => false;
export const inherits = (child: object, parent: { readonly prototype: object }): void =>
  void Object.setPrototypeOf((child as { readonly prototype: object }).prototype, parent.prototype);
export const promisify = <T>(value: T): T => value;
export const deprecate = <T>(value: T): T => value;
export const inspect = (value: unknown): string => String(value);
export const format = (...values: readonly unknown[]): string => values.map(String).join(' ');
export const cpus = (): readonly object[] => [{}];
export const release = (): string => '';
export const EOL = '\n';
export const channel = (): object => ({ hasSubscribers: false, publish: () => undefined });
export const tracingChannel = (): object => ({ hasSubscribers: false });
export const readFileSync = absent;
export const lstatSync = absent;
export const spawnSync = absent;
export const execSync = absent;
export const spawn = absent;
export const env = {};
// A platform whose native modules the engine knows without asking for the version of a library.
export const platform = 'darwin';
export const arch = 'arm64';

function absent(): never {
  throw new Error('The sandbox of the engine has no access to this machine.');
}

export default {
  EventEmitter,
  Readable,
  Writable,
  Transform,
  PassThrough,
  PerformanceObserver,
  performance,
  existsSync,
  isatty,
  inherits,
  promisify,
  deprecate,
  inspect,
  format,
  cpus,
  release,
  EOL,
  channel,
  tracingChannel,
  readFileSync,
  lstatSync,
  spawnSync,
  execSync,
  spawn,
  env,
  platform,
  arch,
};
