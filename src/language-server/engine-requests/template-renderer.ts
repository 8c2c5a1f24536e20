import { asError } from '#base/async.ts';
import type { ModelFile } from '#model/file.ts';
import {
  LARGEST_TEMPLATES,
  ModelTemplates,
  type TemplateAnswer,
  type TemplateQuestion,
} from '#model/templates/model-templates.ts';
import type { Activity } from '#language-server/activity.ts';
import type { LanguageHost, TemplateEngine } from '#language-server/host.ts';
import type { FileEvent, ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';

export interface TemplateRendererDeps {
  readonly workspace: Workspace;
  readonly host: LanguageHost;
  readonly activity: Activity;
  readonly warn: (message: string) => void;
  /** Whether templates may be rendered: nothing of a workspace runs before the user trusts it. */
  readonly isAllowed: () => boolean;
  /** Called when the results of templates have changed. */
  readonly onDidRender: () => void;
}

/**
 * Keeps the rendered templates of each model up to date. It works between requests: an edit is checked at once with the previous
 * rendering, and again when the new one is available. Edits during a rendering lead to one more.
 */
export class TemplateRenderer {
  readonly #deps: TemplateRendererDeps;
  readonly #waiting = new Set<ModelRoot>();
  #running: Promise<void> | undefined;
  /** Until all files have been read, templates miss the files that they import. */
  #isReady = false;

  constructor(deps: TemplateRendererDeps) {
    this.#deps = deps;
    deps.workspace.onDidChangeFile((event) => this.#changed(event));
    deps.workspace.onDidRemoveFile((event) => this.#changed(event));
  }

  /** Renders every model that has templates; called when all files have been read. */
  start(): void {
    this.#isReady = true;
    for (const root of this.#deps.workspace.allRoots()) if (hasTemplates(root)) this.#schedule(root);
  }

  /** Renders templates of another branch; resolves to `null` where templates are not rendered. */
  async answer(questions: readonly TemplateQuestion[]): Promise<TemplateAnswer | null> {
    const { host, activity, isAllowed } = this.#deps;
    if (!host.templates || !isAllowed()) return null;
    await activity.calm();
    return host.templates.render(questions);
  }

  /** Resolves when the current text of the template at a URI has been rendered, or cannot be. */
  async rendered(uri: string): Promise<void> {
    const opened = this.#deps.workspace.get(uri);
    if (opened && opened.file.jinja.length > 0) await this.#running;
  }

  #changed({ root, uri }: FileEvent): void {
    const isTemplate = (root.index.file(uri)?.jinja.length ?? 0) > 0;
    if (isTemplate || root.index.rendering(uri)) this.#schedule(root);
  }

  #schedule(root: ModelRoot): void {
    const { templates } = this.#deps.host;
    if (!templates || root.isStandalone || !this.#isReady || !this.#deps.isAllowed()) return;
    this.#waiting.add(root);
    this.#running ??= this.#work(templates);
  }

  async #work(templates: TemplateEngine): Promise<void> {
    for (;;) {
      // Edits in one turn lead to one rendering.
      await this.#deps.host.yield();
      const [root] = this.#waiting;
      if (!root) break;
      await this.#deps.activity.calm();
      this.#waiting.delete(root);
      try {
        await this.#render(root, templates);
      } catch (error) {
        this.#deps.warn(`Templates could not be rendered: ${asError(error).message}`);
      }
    }
    this.#running = undefined;
  }

  async #render({ uri, index }: ModelRoot, templates: TemplateEngine): Promise<void> {
    const model = new ModelTemplates(index);
    const nameOf = (path: string): string => path.slice(uri.length + 1);
    const questions = model.size > LARGEST_TEMPLATES ? [] : model.questions(nameOf);
    const answer = questions.length === 0 ? [] : await templates.render(questions);
    await this.#deps.activity.calm();
    const before = index.revision;
    for (const result of model.results(answer, nameOf)) {
      const file = index.file(result.path);
      // A file that was removed meanwhile stays removed. While the user types a statement, the names of the last rendering still
      // count.
      if (file && (result.rendering || !isBroken(file))) index.setTemplate(result);
      await this.#deps.host.yield();
    }
    if (index.revision !== before) this.#deps.onDidRender();
  }
}

function isBroken({ problems }: ModelFile): boolean {
  return problems.some(({ code }) => code === 'jinja-syntax');
}

function hasTemplates({ index }: ModelRoot): boolean {
  for (const { jinja } of index.files()) if (jinja.length > 0) return true;
  return false;
}
