import { readFileSync } from 'node:fs';
import { modelWith, type Slots } from './slots.ts';
import { toScript } from './to-script.ts';

interface Case {
  readonly name: string;
  readonly file?: string;
  readonly text?: string;
  readonly slots?: Slots;
  readonly files?: Readonly<Record<string, string>>;
}

/** Returns every single-file YAML model of the fixtures as a script, by its name. */
export function scriptsOfFixtures(): ReadonlyMap<string, string> {
  const scripts = new Map<string, string>();
  for (const fixture of ['verdicts', 'single-mistakes', 'odd-models']) {
    const read = JSON.parse(readFileSync(`test/fixtures/language/${fixture}.json`, 'utf8')) as {
      readonly cases: readonly Case[];
    };
    for (const { name, file = 'm.yml', text, slots, files = {} } of read.cases) {
      const [only, ...others] = Object.values(files);
      const yaml = text ?? (slots ? modelWith(slots) : others.length === 0 ? only : undefined);
      if (yaml === undefined || !file.endsWith('.yml') || /\{[{%#]/.test(yaml)) continue;
      const script = toScript(name, yaml);
      if (script !== undefined) scripts.set(`${fixture}: ${name}`, script);
    }
  }
  return scripts;
}
