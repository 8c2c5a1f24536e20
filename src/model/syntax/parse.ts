import { asError } from '#base/async.ts';
import { parseSimple } from '#model/syntax/yaml/simple-yaml.ts';
import { parseFull, type Parsed } from '#model/syntax/yaml/full-yaml.ts';
import { TooMuchWork } from './work.ts';

/** Parses one chunk of (masked) YAML. Never throws; unreadable text is reported and the rest is kept. */
export function parseYaml(text: string): Parsed {
  const fast = parseSimple(text);
  return fast ? { node: fast.node, problems: [], anchors: [] } : parseWhole(text);
}

/** Parses text that is known not to be plain. */
export function parseWhole(text: string): Parsed {
  try {
    return parseFull(text);
  } catch (error) {
    if (error instanceof TooMuchWork) throw error;
    const reason = asError(error).message;
    return {
      node: undefined,
      anchors: [],
      problems: [
        {
          start: 0,
          end: Math.min(1, text.length),
          code: 'yaml-syntax',
          message: `This text cannot be read as YAML: ${reason}`,
        },
      ],
    };
  }
}
