/** The severity with which a problem of the model language is shown. */
export type SeveritySetting = 'error' | 'warning' | 'information' | 'hint' | 'off';

/** Every setting (without the `modelbench.` prefix) and its type; defaults are in the manifest. */
export interface Settings {
  /** Whether saves on an active dev branch are uploaded automatically. */
  readonly 'sync.onSave': boolean;
  readonly 'sync.useGitignore': boolean;
  readonly 'sync.ignore': readonly string[];
  /** Seconds between checks of both sides; 0: only on request, on focus and on events. */
  readonly 'sync.refreshSeconds': number;
  /** Names or ids of deployments whose changes require a typed confirmation. */
  readonly 'protected.deployments': readonly string[];
  /** Names of branches whose changes require a typed confirmation. */
  readonly 'protected.branches': readonly string[];
  readonly 'build.notifyOnFailure': boolean;
  /** Severities of problems by code. */
  readonly 'language.severity': Readonly<Record<string, SeveritySetting>>;
  readonly 'language.codeLens': boolean;
  readonly 'language.lensForUnused': boolean;
  readonly 'language.inlayHints': boolean;
  readonly 'language.engineCheck.run': 'onSave' | 'onCommand' | 'off';
  /** The size of a model in kilobytes above which saving does not start the engine. */
  readonly 'language.engineCheck.limit': number;
  /** Whether the platform validates the branch of a model after each save. */
  readonly 'language.validateOnSave': boolean;
  readonly 'language.compareWithDeployBranch': boolean;
  /** Whether linked folders appear in the Source Control view; `auto`: if Git does not manage the folder. */
  readonly 'scm.enabled': 'auto' | 'on' | 'off';
  /** How platform objects open: as a form, or as the JSON document behind it. */
  readonly 'documents.openAs': 'form' | 'json';
  /** Shows the view *Administration*; its commands are available either way. */
  readonly 'administration.enabled': boolean;
  /** Shows the view *API Explorer*; its commands are available either way. */
  readonly 'apiExplorer.enabled': boolean;
  readonly 'chat.sendWith': 'enter' | 'ctrlEnter';
  /** Pixels; 0: the font size of the window. */
  readonly 'chat.fontSize': number;
  readonly 'chat.notifyWhenReady': boolean;
  /** Days; 0: forever. */
  readonly 'chat.keepThreads': number;
  readonly 'chat.context': readonly string[];
  /** Chat API URL for deployments without one; read only from user settings because the server receives a credential. */
  readonly 'chat.url': string;
  readonly 'chat.externalId': string;
  readonly 'chat.internalId': string;
  /** Further fields of `sessionSettings` in a question (docs/chat.md#body-of-a-question); validated where they are used. */
  readonly 'chat.session': object;
  readonly 'chat.serviceTokenHeader': string;
}

export type SettingName = keyof Settings;
