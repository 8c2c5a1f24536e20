import { Option } from 'commander';
import type { Tool } from '#tools/tool.ts';

/** The values of options that come from the user and not from a tool's input. */
export interface UserOptions {
  readonly yesProduction?: string | undefined;
  readonly includeLink?: readonly string[] | undefined;
}

/** Returns the options of a tool that only a user at a command line has: no tool has them among its inputs. */
export function userOptionsOf({ risk, mayIncludeLinks }: Pick<Tool, 'risk' | 'mayIncludeLinks'>): readonly Option[] {
  return [...(risk === 'production' ? [productionOption()] : []), ...(mayIncludeLinks ? [linkOption()] : [])];
}

/** Returns the option that confirms a step that reaches production with the name of the deployment. */
function productionOption(): Option {
  return new Option(
    '--yes-production <name>',
    'Confirms what reaches production: the name of the deployment, or of the protected branch.',
  );
}

/** Returns the option that names a link, or a file below it, whose content is uploaded although it is not the project’s own. */
function linkOption(): Option {
  const all = (path: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), path];
  return new Option(
    '--include-link <path>',
    'Also uploads what this link brings in from outside of the project. Can be repeated.',
  ).argParser(all);
}
