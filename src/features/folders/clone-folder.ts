import { checkName, foldName } from '#base/file-names.ts';

/** The greatest length of a name, before its number: in characters as readers count them, and in bytes, of which disks allow 255. */
const LONGEST = { characters: 60, bytes: 240 };

const encoder = new TextEncoder();

/**
 * Returns the name of the folder for a clone: the deployment's name in lower case, with `-` for anything that is not a letter or
 * a digit, and a number after it where `entries`, the names in its parent folder, have it, in any letter case or normal form.
 * Never empty, and never a name that a system reserves; `deploymentName` may be any text.
 */
export function cloneFolderName(deploymentName: string, entries: Iterable<string>): string {
  // Disks of macOS and Windows take “Shop” and “shop” for one folder.
  const taken = new Set([...entries].map(foldName));
  const base = allowed(shortened(wordsOf(deploymentName)));
  let name = base;
  for (let count = 2; taken.has(foldName(name)); count += 1) name = `${base}-${count}`;
  return name;
}

function wordsOf(text: string): string {
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, '-')
    .replaceAll(/^[-\p{Mark}]+/gu, '');
}

function shortened(words: string): string {
  let [name, count] = ['', 0];
  for (const { segment } of new Intl.Segmenter().segment(words)) {
    count += 1;
    if (count > LONGEST.characters || encoder.encode(name + segment).length > LONGEST.bytes) break;
    name += segment;
  }
  return name.replaceAll(/-+$/g, '');
}

function allowed(name: string): string {
  if (name === '') return 'model';
  if (checkName(name) === undefined) return name;
  return checkName(`model-${name}`) === undefined ? `model-${name}` : 'model';
}
