import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the licences of bundled packages ask for: each package with its version and the text of its licence. `inputs` are
 * the paths of bundled files, relative to `root`, as esbuild's metafiles have them.
 */
export function notices(inputs, root) {
  const folders = new Set(
    [...inputs].flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const packages = [...folders].map((folder) => described(join(root, folder)));
  const byName = new Map(packages.map(({ title, text }) => [title, text]));
  // Many packages have the very same text: it is shown once for all of them.
  const byText = Map.groupBy([...byName.keys()].sort(), (title) => byName.get(title));
  const parts = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`);
  return ['This extension contains the following packages.', ...parts].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function described(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const texts = files
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && !/\.(js|ts|json)$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const by = typeof author === 'string' ? author : author?.name;
  const field = typeof license === 'string' ? license : license?.type;
  const text =
    texts.length > 0
      ? texts.join('\n\n')
      : [by ? `Copyright ${by}` : '', `Licence: ${field ?? 'not stated'}`].join('\n').trim();
  return { title: `${name} ${version}`, text };
}
