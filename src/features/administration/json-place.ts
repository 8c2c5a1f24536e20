export interface Place {
  readonly start: number;
  readonly end: number;
}

interface Frame {
  readonly isList: boolean;
  key: string;
  index: number;
  expectsKey: boolean;
}

const token = /\/\/[^\n]*|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Where a field is in a JSON text, as offsets: its name, or an item of a list. What is not there is shown at the nearest
 * part around it, at last at the beginning of the document.
 */
export function placeInJson(text: string, path: readonly string[]): Place {
  const frames: Frame[] = [];
  let best: Place & { readonly depth: number } = { start: 0, end: Math.min(1, text.length), depth: 0 };
  const meet = (at: readonly string[], start: number, end: number): void => {
    if (at.length > best.depth && at.length <= path.length && at.every((part, i) => part === path[i])) {
      best = { start, end, depth: at.length };
    }
  };
  for (const { 0: word, index: start } of text.matchAll(token)) {
    const top = frames.at(-1);
    const end = start + word.length;
    if (word.startsWith('//')) continue;
    if (top && !top.isList && top.expectsKey && word.startsWith('"')) {
      top.key = keyOf(word);
      top.expectsKey = false;
      meet(pathOf(frames), start, end);
      continue;
    }
    if (top?.isList === true && !'],:}'.includes(word)) meet(pathOf(frames), start, end);
    follow(word, frames);
  }
  return { start: best.start, end: best.end };
}

function follow(word: string, frames: Frame[]): void {
  const top = frames.at(-1);
  if (word === '{') frames.push({ isList: false, key: '', index: 0, expectsKey: true });
  else if (word === '[') frames.push({ isList: true, key: '', index: 0, expectsKey: false });
  else if (word === '}' || word === ']') frames.pop();
  else if (word === ',' && top) {
    top.index += 1;
    top.expectsKey = !top.isList;
  }
}

function pathOf(frames: readonly Frame[]): readonly string[] {
  return frames.map(({ isList, key, index }) => (isList ? String(index) : key));
}

function keyOf(word: string): string {
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
}
