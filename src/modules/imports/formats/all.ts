import type { ImportFormat } from '../import-format.js';
import { csvFormat } from './csv.js';
import { githubFormat } from './github.js';
import { jiraFormat } from './jira.js';
import { trelloFormat } from './trello.js';

/** Every format, by its name in requests. */
export const FORMATS = {
  csv: csvFormat,
  github: githubFormat,
  jira: jiraFormat,
  trello: trelloFormat,
} satisfies Record<string, ImportFormat>;

export type FormatName = keyof typeof FORMATS;

export const formatOf = (name: FormatName): ImportFormat => FORMATS[name];
