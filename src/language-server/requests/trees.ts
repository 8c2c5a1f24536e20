import type { Connection } from 'vscode-languageserver';
import { extended, extending, prepareExtends } from '#language-server/ide/navigation/type-hierarchy.ts';
import { prepareUsedBy, usedBy, uses } from '#language-server/ide/navigation/used-by.ts';
import type { Guard, InFile } from './request-guards.ts';
import type { Workspace } from '#language-server/workspace/workspace.ts';

/** Handles requests for trees: “used by”, which editors show as a call hierarchy, and `extends`, as a type hierarchy. */
export function registerTrees(connection: Connection, workspace: Workspace, inFile: InFile, guard: Guard): void {
  registerUsedBy(connection, workspace, inFile, guard);
  registerExtends(connection, workspace, inFile, guard);
}

function registerUsedBy(connection: Connection, workspace: Workspace, inFile: InFile, guard: Guard): void {
  const { callHierarchy } = connection.languages;
  callHierarchy.onPrepare(
    inFile('prepareCallHierarchy', null, (opened, { position }) =>
      prepareUsedBy(opened, opened.positions.offsetAt(position), workspace),
    ),
  );
  callHierarchy.onIncomingCalls(
    guard('incomingCalls', null, ({ item }) => usedBy(item, workspace.allRoots(), workspace)),
  );
  callHierarchy.onOutgoingCalls(
    guard('outgoingCalls', null, ({ item }) => uses(item, workspace.allRoots(), workspace)),
  );
}

function registerExtends(connection: Connection, workspace: Workspace, inFile: InFile, guard: Guard): void {
  const { typeHierarchy } = connection.languages;
  typeHierarchy.onPrepare(
    inFile('prepareTypeHierarchy', null, (opened, { position }) =>
      prepareExtends(opened, opened.positions.offsetAt(position), workspace),
    ),
  );
  typeHierarchy.onSupertypes(guard('supertypes', null, ({ item }) => extended(item, workspace.allRoots(), workspace)));
  typeHierarchy.onSubtypes(guard('subtypes', null, ({ item }) => extending(item, workspace.allRoots(), workspace)));
}
