/** Source files by path. */
export type Sources = ReadonlyMap<string, string>;

/** A place at which a deploy branch could be reached past the production gate. */
export interface Hole {
  readonly path: string;
  readonly why: string;
}

/** What each file may do that would be a hole anywhere else, with the files. */
const rules: readonly { readonly why: string; readonly pattern: RegExp; readonly only: readonly string[] }[] = [
  {
    why: 'sends a request without the client',
    pattern:
      /(?<![.\w#])fetch\((?!path)|globalThis\.fetch\(|\bXMLHttpRequest\b|from 'node:(?:https?|net|tls|http2)'|from 'undici'/,
    only: ['src/api/client/client.ts'],
  },
  {
    why: 'describes a request of its own',
    pattern: /\bmethod:\s*['"`](?:POST|PUT|PATCH|DELETE)['"`]|\bdefineOperation\(/,
    only: [],
  },
  {
    why: 'takes an operation out of the list of all',
    pattern: /['"`](?:#api|\.{1,2})(?:\/[\w.-]+)*\/operations\.ts['"`]/,
    // They find the operation of a request that the gate then judges.
    only: ['src/features/api-explorer/catalogue.ts', 'src/features/api-explorer/gated-request.ts'],
  },
  {
    why: 'passes operations on under another name',
    pattern:
      /export (?:\*|\{[^}]*\})(?: as \w+)? from ['"`][^'"`]*\bapi\/(?:[\w-]+\/)*(?:branches|upload|deployments|github|data-model)\.ts/,
    only: [],
  },
  {
    why: 'imports operations where no import is seen',
    pattern:
      /\b(?:import|require)\(\s*['"`]?[^)]*\bapi\/(?:[\w-]+\/)*(?:branches|upload|deployments|github|data-model|operations)\b/,
    only: [],
  },
  {
    why: 'goes through the gate with a reading of its own',
    pattern: /\bthroughGate\b(?:<[^>]*>)?\(/,
    only: [
      'src/features/api-explorer/ask-and-send.ts',
      'src/features/branches/vscode/delete-at-gate.ts',
      'src/features/history/at-gate.ts',
      'src/features/history/deploy-step.ts',
      'src/features/platform/production-pass.ts',
      'src/features/platform/vscode/write-at-gate.ts',
      'src/tools/gate/gate.ts',
    ],
  },
  {
    why: 'goes through the gate of tools with a reading of its own',
    pattern: /\bthroughToolGate\(/,
    only: ['src/tools/gate/deploy.ts', 'src/tools/gate/gate.ts', 'src/tools/gate/git-step.ts'],
  },
  {
    why: 'opens a deploy branch for uploads',
    pattern:
      /\bimplements DeployAccess\b|\bcreatePlatformDeployer\(|\bisOpen: (?:\(\) => )?true\b(?=[^;]*branch)|branch[^;]*\bisOpen: (?:\(\) => )?true\b/,
    only: ['src/features/history/confirmed-deploy.ts', 'src/sync/core/remote/platform-remote.ts'],
  },
  {
    why: 'makes a pass past the gate',
    pattern:
      /\b(?:as|<)\s*(?:unknown as )?(?:\w+\.)?ProductionPass\b(?!>)|\bsatisfies (?:\w+\.)?ProductionPass\b|\bPass\.prototype\b|:\s*(?:\w+\.)?ProductionPass\s*=(?!>)/,
    only: [],
  },
  { why: 'makes a pass', pattern: /\bnew Pass\(/, only: ['src/features/platform/production-pass.ts'] },
];

/** The functions that send a gated operation: with a value of no type, they would take anything for a pass. */
const sending =
  /\b(?:commitBranch|mergeBranch|mergeToDefault|pullThrough|deleteBranch|connectRepository|runDbtSync)\(|\bProductionPass\b|\.during\(/;
const untyped = /\bas (?:unknown as )?(?:never|any)\b|<any>|: any\b|@ts-(?:ignore|expect-error|nocheck)/;

/** Returns the places at which a deploy branch could be reached past the gate. */
export function holesIn(files: Sources): readonly Hole[] {
  return [...files].flatMap(([path, text]) => {
    const source = withoutComments(text);
    const isApi = path.startsWith('src/api/');
    const broken = rules.filter(
      ({ pattern, only, why }) =>
        pattern.test(source) && !only.includes(path) && !(isApi && why !== 'sends a request without the client'),
    );
    const found = broken.map(({ why }) => ({ path, why }));
    const isUntyped = sending.test(source) && untyped.test(text);
    return isUntyped ? [...found, { path, why: 'calls a sending function with a value of no type' }] : found;
  });
}

/** Returns the functions of a file that send an operation (`sends`) without asking for a pass (`asks`), alone or by what they call. */
export function unasked(text: string, sends: RegExp, asks: RegExp): readonly string[] {
  const functions = new Map(
    withoutComments(text)
      .split(/^(?=(?:export )?(?:async )?(?:function|class) )/m)
      .flatMap((body) => {
        const name = /^(?:export )?(?:async )?(?:function|class) (\w+)/.exec(body)?.[1];
        return name === undefined ? [] : [[name, body] as const];
      }),
  );
  const sender = new Set([...functions].flatMap(([name, body]) => (sends.test(body) ? [name] : [])));
  const isUnasked = (name: string): boolean => !asks.test(functions.get(name) ?? '');
  const callersOf = (name: string): readonly string[] =>
    [...functions].flatMap(([other, body]) =>
      other !== name && new RegExp(`\\b${name}\\(`).test(body) ? [other] : [],
    );
  const isExported = (name: string): boolean => (functions.get(name) ?? '').startsWith('export ');
  // A function of this file may leave the question to all that call it.
  const open = [...sender].filter(isUnasked).flatMap((name) => {
    const callers = callersOf(name);
    return isExported(name) || callers.length === 0 ? [name] : callers.filter(isUnasked);
  });
  return [...new Set(open)].sort();
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
