import { codeOf } from '#base/system-error.ts';
import { fileProblem, namedPlace } from './disk.ts';

type NameOf = (args: readonly unknown[], error: unknown) => string;

/**
 * Wraps a port so that system errors of all its calls become `FileProblem`s: a message such as “EIO: fsync” does not
 * say what to do. `nameOf`: returns the subject of the message from the arguments of the call and its error.
 */
export function withReadableErrors<P extends object>(port: P, nameOf: NameOf): P {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => call(value, target, args, nameOf);
    },
  });
}

function call(method: Function, target: object, args: readonly unknown[], nameOf: NameOf): unknown {
  const translated = (error: unknown): unknown =>
    codeOf(error) === '' ? error : fileProblem(nameOf(args, error), error);
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

/** Returns a function that names one of the engine's own files, with the folder that an error is about: no view shows it. */
export function ownFile(name: string): NameOf {
  return (_args, error) => namedPlace(name, error);
}

/** Returns the subject of a call to the linked folder: its path, or the folder if it takes none. */
export function fileOf([first]: readonly unknown[]): string {
  return typeof first === 'string' ? first : 'The model folder';
}
