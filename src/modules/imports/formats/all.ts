import { documentFormat } from '../documents/document.format.js';
import { ITEMS } from '../reading/import-format.js';
import type { FileFormat } from '../reading/file-format.js';
import type { ImportFormat } from '../reading/file-format.js';
import { csvFormat } from './csv.js';
import { githubFormat } from './github.js';
import { jiraFormat } from './jira/jira.js';
import { linearFormat } from './linear/linear.js';
import { trelloFormat } from './trello.js';
import { vikunjaFormat } from './vikunja.js';

const TASK_FORMATS = {
  csv: csvFormat,
  github: githubFormat,
  jira: jiraFormat,
  linear: linearFormat,
  trello: trelloFormat,
  vikunja: vikunjaFormat,
} satisfies Record<string, ImportFormat>;

/** All formats by their names in requests. */
export const FORMATS = { ...TASK_FORMATS, worksmith: documentFormat } satisfies Record<string, FileFormat>;

export type FormatName = keyof typeof FORMATS;

export const formatOf = (name: FormatName): FileFormat => FORMATS[name];

/** Returns a format of another system, whose items become tasks. */
export function taskFormatOf(name: FormatName): ImportFormat {
  if (name === 'worksmith') throw new Error('The format worksmith is not a format of tasks.');
  return TASK_FORMATS[name];
}

/** The sections whose records are imported. */
export const sectionsOf = (name: FormatName): readonly string[] => formatOf(name).sections ?? [ITEMS];
