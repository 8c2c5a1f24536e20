import { parseFile } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { changeFigures } from './language/changes.ts';
import { bundleServer, type ServerKind, ServerProcess, yamlServer } from './language/client.ts';
import { generateOneFile } from './language/model.ts';
import { figure, projectFigures } from './language/project.ts';
import { typing } from './language/typing.ts';

interface Size {
  readonly name: string;
  readonly cubes: number;
  /** What a key may cost until its diagnostics are there, in ms. */
  readonly reach: number;
  /** What the server may occupy when all requests are answered, in MB; unlimited if absent. */
  readonly memory?: number;
  readonly keys: number;
  readonly peerKeys: number;
}

/** The language server as it ships and yaml-language-server side by side over stdio; then what only ours has, and how it grows. */
export const run: Bench = async ({ quick }) => {
  const { server, first, remove } = await bundleServer();
  const peer = yamlServer();
  const sizes: readonly Size[] = [
    { name: '14 KB', cubes: 1, reach: 5, keys: quick ? 20 : 200, peerKeys: quick ? 3 : 10 },
    { name: '1.4 MB', cubes: 100, reach: 20, keys: quick ? 10 : 60, peerKeys: quick ? 2 : 5 },
    ...(quick ? [] : [{ name: '7.1 MB', cubes: 500, reach: 15, memory: 300, keys: 60, peerKeys: 2 }]),
  ];
  try {
    const figures = [...(await starting({ server, first, peer }, quick ? 3 : 7))];
    figures.push(...(await projectFigures(server, quick ? 50 : 500, quick ? 2 : 5)));
    figures.push(...(await changeFigures(server, quick ? 50 : 600)));
    for (const size of sizes) figures.push(...(await documentFigures(server, peer, size)));
    return [...figures, growth(quick ? 20 : 50)];
  } finally {
    remove();
  }
};

async function starting(
  kinds: { readonly server: ServerKind; readonly first: ServerKind; readonly peer: ServerKind },
  times: number,
): Promise<readonly Figure[]> {
  const values: number[] = [];
  const firstValues: number[] = [];
  const peerValues: number[] = [];
  for (let at = 0; at < times; at++) {
    values.push(await startOf(kinds.server));
    firstValues.push(await startOf(kinds.first));
    if (at < 3) peerValues.push(await startOf(kinds.peer));
  }
  const peerValue = median(peerValues);
  const first: Figure = { id: 'the first start of all', value: median(firstValues), unit: 'ms', ok: true };
  return [
    against(figure('start → initialized', median(values), 'ms', 100), kinds.peer, peerValue),
    against(first, kinds.peer, peerValue),
  ];
}

async function startOf(kind: ServerKind): Promise<number> {
  const server = new ServerProcess(kind);
  const value = await server.startedIn;
  server.stop();
  return value;
}

async function documentFigures(server: ServerKind, peer: ServerKind, size: Size): Promise<readonly Figure[]> {
  const text = generateOneFile(size.cubes);
  // A file that is too long to be read costs nothing.
  if (parseFile('a.yml', text).problems.length > 0) throw new Error(`The model of ${size.name} is not checked.`);
  const ours = await typing(server, text, { keys: size.keys, versioned: true, colours: true });
  const theirs = await typing(peer, text, { keys: size.peerKeys, versioned: false, colours: false });
  const plain = (id: string, value: number, unit: string): Figure => ({
    id: `${id}, ${size.name}`,
    value,
    unit,
    ok: true,
  });
  return [
    against(plain('open → diagnostics', ours.opened, 'ms'), peer, theirs.opened),
    against(
      figure(`key → diagnostics, ${size.name}, median`, median(ours.diagnosed), 'ms', size.reach),
      peer,
      median(theirs.diagnosed),
    ),
    against(
      figure(`key → diagnostics, ${size.name}, p95`, percentile(ours.diagnosed, 0.95), 'ms', size.reach),
      peer,
      percentile(theirs.diagnosed, 0.95),
    ),
    {
      id: `key → diagnostics, ${size.name}: processor time of the thread, p95`,
      value: percentile(ours.busy, 0.95),
      unit: 'ms',
      ok: true,
    },
    {
      id: `key → diagnostics, ${size.name}: processor time of other threads, ${size.keys} keys`,
      value: ours.beside,
      unit: 'ms',
      ok: true,
    },
    against(
      figure(`key + completion, ${size.name}, median`, median(ours.completed), 'ms', 20),
      peer,
      median(theirs.completed),
    ),
    against(plain('hover', median(ours.hovered), 'ms'), peer, median(theirs.hovered)),
    against(plain('outline', median(ours.outlined), 'ms'), peer, median(theirs.outlined)),
    // The peer has no semantic tokens.
    plain('semantic tokens, whole', median(ours.coloured), 'ms'),
    plain('semantic tokens, 60 lines that are seen', median(ours.colouredLines), 'ms'),
    plain('semantic tokens, what a key changed', median(ours.recoloured), 'ms'),
    against(figure(`memory at the end, ${size.name}`, ours.memory, 'MB', size.memory ?? Infinity), peer, theirs.memory),
  ];
}

function against(ours: Figure, { name }: ServerKind, peerValue: number): Figure {
  return { ...ours, peer: name, peerValue, ratio: ours.value / peerValue };
}

/**
 * Ten times the model may cost twelve times the work; the same amount of text on both sides, so that both pay for their
 * garbage; in turns and in either order, so that both run the same compiled code. Only the time of this thread counts: what
 * V8 compiles and collects beside it belongs to no side.
 */
function growth(cubes: number): Figure {
  const one = generateOneFile(cubes);
  const ten = generateOneFile(cubes * 10);
  const cost = (text: string, times: number): number => {
    const from = process.threadCpuUsage();
    for (let time = 0; time < times; time++) {
      for (const { chunk } of parseFile('a.yml', text).chunks)
        for (const symbol of symbolsOf(chunk))
          if (symbol.members.size + symbol.mentions.size === 0) throw new Error(symbol.name);
    }
    const { user, system } = process.threadCpuUsage(from);
    return (user + system) / times;
  };
  const pair = (isTenFirst: boolean): number => {
    const before = isTenFirst ? cost(ten, 2) : 0;
    const small = cost(one, 20);
    return (isTenFirst ? before : cost(ten, 2)) / small;
  };
  pair(false);
  const ratio = median(Array.from({ length: 12 }, (_, at) => pair(at % 2 === 0)));
  return { id: 'parse and index, 10 times the model', value: ratio, unit: '×', reach: 12, ok: ratio <= 12 };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
