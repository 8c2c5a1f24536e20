import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the notices that the licences of bundled packages require: each package with its version and licence text. `inputs` are
 * the paths of bundled files, relative to `root`, as in esbuild's metafiles.
 */
export function notices(inputs, root) {
  const folders = new Set(
    [...inputs].flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const packages = [...folders].map((folder) => described(join(root, folder)));
  const byName = new Map(packages.map(({ title, text }) => [title, text]));
  // Many packages have exactly the same text, so it is shown once for all of them.
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
  const text = texts.join('\n\n') || licenceOfReadme(folder, files) || fields({ name, license, author });
  return { title: `${name} ${version}`, text: unwrapped(text) };
}

/**
 * Returns a text with a line for each paragraph and list item: the same licence, which packages wrap at different columns, becomes
 * the same text.
 */
function unwrapped(text) {
  return text
    .replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n')
    .replaceAll(/(?<=[^\n]{40})\n(?=[A-Za-z"'(])(?!\([a-z\d]+\)|Copyright)/g, ' ')
    .replaceAll(/[ \t]{2,}/g, ' ');
}

/** Returns the licence at the end of a README: some packages have it only there. */
function licenceOfReadme(folder, files) {
  const readme = files.find((file) => /^readme/i.test(file));
  const text = readme ? readFileSync(join(folder, readme), 'utf8') : '';
  return /^#+ *licen[cs]e *\n([^#]*permission[^#]*)/im.exec(text)?.[1].trim();
}

/** Returns the metadata of a package that comes without a licence text. */
function fields({ name, license, author }) {
  const by = typeof author === 'string' ? author : author?.name;
  const field = typeof license === 'string' ? license : license?.type;
  const words = [`Copyright ${by ?? `the authors of ${name}`}`, `Licence: ${field ?? 'not stated'}`];
  return [...words, ...(field === 'BSD-3-Clause' ? ['', bsd3] : [])].join('\n');
}

const bsd3 = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
   derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;
