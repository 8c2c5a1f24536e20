/** Source files by path. */
type Sources = ReadonlyMap<string, string>;

/** A function of a file. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly body: string;
}

/** A dialog, or a list to choose from. */
const question = /\b(?:confirm\w*|showQuickPick|choose)\(/;
/** What names the target in a question: a value of its text. */
const name = /\$\{(?:[\w.]*\bname\b|\w*\.branchName|titleOf\(|named\w+\()|question\.text/;
/** A chain of functions ends after so many. */
const longest = 5;

/** Returns the functions through which an operation is sent without a question before that names its target. */
export function unaskedPaths(id: string, files: Sources, isDescription: (path: string) => boolean): readonly string[] {
  const all = [...files].flatMap(([path, text]) => (isDescription(path) ? [] : functionsOf(path, text)));
  const sender = callOf(id);
  const follow = (places: readonly Place[], call: RegExp, left: number): readonly string[] =>
    places.flatMap((place) => {
      if (asksBefore(place, call, all, files)) return [];
      const callers = left === 0 ? [] : callersOf(place, all, files);
      if (callers.length === 0) return [`${place.path} ${place.name}`];
      return callers.flatMap(({ caller, as }) => follow([caller], new RegExp(`\\b${as}\\(`), left - 1));
    });
  return [
    ...new Set(
      follow(
        all.filter(({ body }) => sender.test(body)),
        sender,
        longest,
      ),
    ),
  ].sort();
}

/** Finds what sends an operation. */
export function callOf(id: string): RegExp {
  return new RegExp(`\\bcall\\(\\s*(?:\\w+\\.)?${id}\\b`);
}

function functionsOf(path: string, text: string): readonly Place[] {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split(/^(?=(?:export )?(?:async )?(?:function|class) |(?:export )?const \w+ = )/m)
    .flatMap((body) => {
      const name = /^(?:export )?(?:async )?(?:function|class|const) (\w+)/.exec(body)?.[1];
      return name === undefined ? [] : [{ path, name, body }];
    });
}

/** Whether a function asks before a call; the words of the question may be in another function. */
function asksBefore({ path, body }: Place, call: RegExp, all: readonly Place[], files: Sources): boolean {
  const at = body.slice(body.indexOf('{')).search(call);
  const before = body.slice(0, body.indexOf('{') + Math.max(at, 0));
  if (!question.test(before)) return false;
  const helpers = all.filter((helper) => {
    const as = before.includes(helper.name) ? nameIn(path, helper, files) : undefined;
    return as !== undefined && new RegExp(`\\b${as}\\(`).test(before);
  });
  return [before, ...helpers.map((helper) => helper.body)].some((text) => name.test(text));
}

/** Returns the functions that call this one, with the name that they call it by. */
function callersOf(callee: Place, all: readonly Place[], files: Sources): readonly { caller: Place; as: string }[] {
  return all.flatMap((caller) => {
    const as = nameIn(caller.path, callee, files);
    const isCall = as !== undefined && new RegExp(`\\b${as}\\(`).test(caller.body.slice(caller.body.indexOf('{')));
    return isCall && caller !== callee ? [{ caller, as }] : [];
  });
}

/** Returns the name that a file has for a function, if it knows it. */
function nameIn(path: string, { path: home, name: own }: Place, files: Sources): string | undefined {
  if (path === home) return own;
  const text = files.get(path) ?? '';
  if (!text.includes(own)) return undefined;
  const module = home.split('/').at(-1)?.replace('.', '\\.') ?? '';
  const from = `from '[^']*(?:${module}|index\\.ts)'`;
  const named = new RegExp(`import \\{[^}]*\\b${own}\\b(?: as (\\w+))?[^}]*\\} ${from}`).exec(text);
  if (named) return named[1] ?? own;
  const space = new RegExp(
    `(?:import \\* as |const )(\\w+) (?:= await import\\('[^']*${module}'|from '[^']*${module}')`,
  );
  const found = space.exec(text)?.[1];
  return found === undefined ? undefined : `${found}\\.${own}`;
}
