import { parseFast } from './fast.ts';
import { parseSlow, type Parsed } from './slow.ts';

/** Parses one chunk of (masked) YAML. Never throws; what cannot be read is reported and the rest is kept. */
export function parseYaml(text: string): Parsed {
  const fast = parseFast(text);
  if (fast) return { node: fast.node, problems: [] };
  try {
    return parseSlow(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      node: undefined,
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
