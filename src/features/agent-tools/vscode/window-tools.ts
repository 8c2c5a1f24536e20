import { passage, textOf, type UserText } from '#base/user-text.ts';
import { confirmationOf } from '#features/agent-tools/confirmation.ts';
import { mayUpload } from '#features/folders/vscode/index.ts';
import type { Tool, ToolContext } from '#tools/tool.ts';
import type { AgentCommandLine } from './agent-command-line.ts';
import type { AgentToolsDeps } from './deps.ts';
import { confirmInWindow, type ToolFolder, toolFolder, windowPorts } from './window-ports.ts';

/** The message while a tool runs, and the question before it. */
export interface PreparedTool {
  readonly doing: string;
  readonly confirmation: { readonly title: UserText; readonly message: UserText } | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** Tools that upload files to a branch, which may need the user's consent in a deployment with a Git provider. */
const uploading: ReadonlySet<string> = new Set(['push', 'deploy', 'write']);

/** Runs the tools for agents on the window's folder. */
export class WindowTools {
  readonly #deps: AgentToolsDeps;
  readonly #commandLine: () => Promise<AgentCommandLine>;

  constructor(deps: AgentToolsDeps, commandLine: () => Promise<AgentCommandLine>) {
    this.#deps = deps;
    this.#commandLine = commandLine;
  }

  async prepared(name: string, input: Input): Promise<PreparedTool> {
    const tool = toolNamed(await this.#commandLine(), name);
    const asked = confirmationOf(tool, input);
    return {
      doing: tool.title,
      confirmation: asked && { title: textOf(asked.title), message: passage(asked.lines.join('\n')) },
    };
  }

  /** Runs a tool and resolves to its answer as text; rejects with a sentence for the agent. */
  async run(name: string, input: Input, signal: AbortSignal): Promise<string> {
    const commandLine = await this.#commandLine();
    const tool = toolNamed(commandLine, name);
    const deps = this.#deps;
    if (!deps.isTrusted.value && !isReading(tool))
      throw new Error('This window is in Restricted Mode, so only tools that read files of the folder can be used.');
    await deps.session.whenLinksFound;
    const folder = toolFolder(deps);
    await requireConsent(deps, folder, name, input);
    const context: ToolContext = { signal, progress: () => undefined, confirm: confirmInWindow(deps, folder) };
    const answer = await tool.run(windowPorts(deps, commandLine, folder), input, context);
    if (tool.risk !== 'read') refreshAfter(deps, folder);
    return answer.render('text');
  }
}

function toolNamed({ tools }: AgentCommandLine, name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`There is no tool “${name}”.`);
  return found;
}

function isReading({ risk, reach }: Tool): boolean {
  return risk === 'read' && reach === 'folder';
}

/** Rejects without the user's consent, which is needed once to upload to a deployment with a Git provider, as in the editor. */
async function requireConsent(deps: AgentToolsDeps, { target }: ToolFolder, name: string, input: Input): Promise<void> {
  const sends = uploading.has(name) && (input['yes'] === true || input['push'] === true);
  if (!sends || !target || (await mayUpload(deps, target))) return;
  throw new Error('The user did not agree to upload to this deployment. Nothing was sent.');
}

/** Refreshes the branches, so that the views show what a tool changed on the platform. */
function refreshAfter({ data }: AgentToolsDeps, { target }: ToolFolder): void {
  if (!target) return;
  void data
    .of(target)
    .branches.refresh()
    .catch(() => undefined);
}
