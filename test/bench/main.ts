// npm run bench -- NAME [--quick] [--part PART] [--from N] [--count M]: prints a table and writes bench-results/NAME.json.
// npm run bench -- all [--quick]: every bench in a process of its own; at the end, those that are broken or miss a figure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, Figure } from './figures.ts';

const notBenches = new Set(['main', 'figures']);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    part: { type: 'string' },
    from: { type: 'string' },
    count: { type: 'string' },
  },
});
const [name] = positionals;
const file = join(import.meta.dirname, `${name}.ts`);

if (name === 'all') {
  const failed = names().filter((each) => !succeeds(each));
  console.log(failed.length === 0 ? 'Every bench ran.' : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} else if (name === undefined || notBenches.has(name) || !existsSync(file)) {
  console.error(`Usage: npm run bench -- NAME [--quick], where NAME is “all” or one of: ${names().join(', ')}`);
  process.exitCode = 1;
} else {
  const { run } = (await import(file)) as { readonly run: Bench };
  const { quick = false, part, from, count } = values;
  const figures = await run({ quick, part, from: numberOf(from), count: numberOf(count) });
  console.log(table(figures));
  const results = join(import.meta.dirname, '../../bench-results');
  mkdirSync(results, { recursive: true });
  const report = { name, date: new Date().toISOString(), node: process.version, figures };
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = figures.every((figure) => isFine(figure, quick)) ? 0 : 1;
}

/** Runs one bench as its own command would, because benches change what their process has loaded and measured. */
function succeeds(bench: string): boolean {
  console.log(`\n${bench}`);
  const flags = values.quick === true ? ['--quick'] : [];
  return spawnSync(process.execPath, [import.meta.filename, bench, ...flags], { stdio: 'inherit' }).status === 0;
}

/** A quick run shows that the bench works: times and sizes on this machine decide nothing, and what is counted must be right. */
function isFine({ ok, unit }: Figure, isQuick: boolean): boolean {
  return ok || (isQuick && /^(?:µs|ms|MB|KB|1\/s|×|tasks$)/.test(unit));
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function names(): readonly string[] {
  const files = readdirSync(import.meta.dirname).filter((entry) => entry.endsWith('.ts'));
  return files.map((entry) => entry.slice(0, -'.ts'.length)).filter((entry) => !notBenches.has(entry));
}

function table(figures: readonly Figure[]): string {
  const head = ['figure', 'value', 'unit', 'peer', 'ratio', 'reach', ''];
  const rows = figures.map(({ id, value, unit, peer, peerValue, ratio, reach, ok }) => [
    id,
    short(value),
    unit,
    peer === undefined ? '' : `${peer} ${short(peerValue)}`,
    short(ratio),
    short(reach),
    ok ? '✔' : '✘',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

function short(value: number | undefined): string {
  if (value === undefined) return '';
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
