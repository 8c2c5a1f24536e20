import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';
import { linkSchema } from './link-schema.ts';
import { readModelPath } from './model-path.ts';

/** The target of a linked folder. The branch is personal state and not included. */
export interface FolderLink {
  readonly tenantUrl: string;
  readonly deploymentId: string;
  /** The model folder inside the linked one, with the same path on the platform; empty for the whole linked folder. */
  readonly modelPath: string;
}

/** A workspace folder with its link; `problem` if it has a `modelbench.json` that cannot be used. */
export interface LinkedFolder {
  /** The folder's URI as text: stable across windows. */
  readonly folderId: string;
  readonly name: string;
  readonly link: FolderLink | undefined;
  readonly problem: string | undefined;
}

/** Parses `modelbench.json`; the error is one sentence for the user. */
export function parseLink(text: string): Result<FolderLink, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err('modelbench.json is not valid JSON.');
  }
  const parsed = v.safeParse(linkSchema, json);
  if (!parsed.success) return err(`modelbench.json: ${missingField(parsed.issues[0])}`);
  const modelPath = readModelPath(parsed.output.modelPath);
  if (!modelPath.ok) return err(`modelbench.json: ${modelPath.error}`);
  const tenantUrl = parsed.output.tenant.replace(/(?<!\/)\/+$/, '');
  if (!URL.canParse(tenantUrl)) return err('modelbench.json: "tenant" is not a URL.');
  return ok({ tenantUrl, deploymentId: parsed.output.deployment, modelPath: modelPath.value });
}

/** Returns the text of a new `modelbench.json`. */
export function linkText(link: FolderLink): string {
  const body = { tenant: link.tenantUrl, deployment: link.deploymentId, modelPath: link.modelPath };
  return `${JSON.stringify(body, undefined, 2)}\n`;
}

function missingField(issue: v.BaseIssue<unknown>): string {
  const field = issue.path?.map((part) => String(part.key)).join('.') ?? '';
  return issue.received === 'undefined' ? `"${field}" is missing.` : issue.message;
}
