import { codeOf, fileProblem } from './disk.ts';

/**
 * Wraps a port so that system errors of all its calls become `FileProblem`s: a message such as “EIO: fsync” does not
 * say what to do. `nameOf`: returns the subject of the message from the arguments of the call.
 */
export function withReadableErrors<P extends object>(port: P, nameOf: (args: readonly unknown[]) => string): P {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => call(value, target, args, nameOf);
    },
  });
}

function call(
  method: Function,
  target: object,
  args: readonly unknown[],
  nameOf: (args: readonly unknown[]) => string,
): unknown {
  const translated = (error: unknown): unknown => (codeOf(error) === '' ? error : fileProblem(nameOf(args), error));
  try {
    const result: unknown = Reflect.apply(method, target, [...args]);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw translated(error);
    });
  } catch (error) {
    throw translated(error);
  }
}

/** Returns the subject of a call to the linked folder: its path, or the folder if it takes none. */
export function fileOf([first]: readonly unknown[]): string {
  return typeof first === 'string' ? first : 'The model folder';
}
