import { branches } from '#tools/platform/branches.ts';
import { builds } from '#tools/platform/builds.ts';
import { check } from '#tools/check/check.ts';
import { commit } from '#tools/gate/commit.ts';
import { deploy } from '#tools/gate/deploy.ts';
import { diff } from '#tools/model/diff.ts';
import { graph } from '#tools/graph/graph.ts';
import { impact } from '#tools/model/impact.ts';
import { logs } from '#tools/platform/logs.ts';
import { merge } from '#tools/gate/merge.ts';
import { plan } from '#tools/sync/plan.ts';
import { query } from '#tools/queries/query.ts';
import { read } from '#tools/model/read.ts';
import { resolve } from '#tools/sync/resolve.ts';
import { restore } from '#tools/sync/restore.ts';
import { search } from '#tools/model/search.ts';
import { sql } from '#tools/queries/sql.ts';
import { status } from '#tools/platform/status.ts';
import { test } from '#tools/queries/test.ts';
import type { Tool } from './tool.ts';
import { pull, push } from '#tools/sync/transfer.ts';
import { undo } from '#tools/write/undo.ts';
import { validate } from '#tools/platform/validate.ts';
import { write } from '#tools/write/write.ts';

/** Every tool, in the order in which help texts list them. */
export const tools: readonly Tool[] = [
  check,
  search,
  read,
  graph,
  diff,
  impact,
  status,
  branches,
  builds,
  validate,
  query,
  sql,
  test,
  logs,
  write,
  undo,
  restore,
  plan,
  push,
  pull,
  resolve,
  commit,
  merge,
  deploy,
];
