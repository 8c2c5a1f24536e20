import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import { format, indentNewLine } from '#language-server/ide/format.ts';
import type { InFile } from './request-guards.ts';

/** Registers formatting. Says once how files with templates are formatted: editors that format on save ask with each save. */
export function registerFormatting(connection: Connection, inFile: InFile): void {
  let isExplained = false;
  connection.onDocumentFormatting(
    inFile('formatting', null, (opened) => {
      if (opened.file.jinja.length > 0 && !isExplained) {
        isExplained = true;
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message: TEMPLATES });
      }
      return format(opened);
    }),
  );
  connection.onDocumentOnTypeFormatting(
    inFile('onTypeFormatting', null, (opened, { position }) => indentNewLine(opened, position)),
  );
}

const TEMPLATES =
  'Only cubes and views without templates are formatted in this file: elsewhere, spaces and line breaks can belong to what a template writes.';
