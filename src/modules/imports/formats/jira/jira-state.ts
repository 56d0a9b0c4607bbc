import type { TaskStatus } from '../../../../common/statuses.js';
import type { ImportItem } from '../../reading/import-format.js';
import type { Reading } from '../../reading/reading.js';
import { foldWord, wordsIn } from '../../words/fold.js';
import { textOf } from '../values.js';

/** Names and keys of status categories in English, German, French, Spanish, Portuguese and Japanese. */
const CATEGORIES: ReadonlyMap<string, TaskStatus> = new Map(
  (
    [
      [
        'planned',
        'new|to do|todo|zu erledigen|aufgaben|à faire|por hacer|itens pendentes|tarefas pendentes|a fazer|未着手',
      ],
      ['active', 'indeterminate|in progress|in arbeit|en cours|en curso|em andamento|進行中'],
      ['done', 'done|fertig|erledigt|terminé|terminé(e)|listo|itens concluídos|concluído|完了'],
    ] as const
  ).flatMap(([status, words]) => wordsIn(words).map((word) => [word, status] as const)),
);

interface JiraState {
  name: unknown;
  category: unknown;
  resolution: unknown;
  /** Whether the issue has a time of resolution. */
  isResolved: boolean;
  /** Whether its project is archived. */
  isArchived?: boolean;
}

/** Returns the status of an issue with the reason of a cancelation; finished issues without a status are done. */
export function jiraStateOf(
  { name, category, resolution, isResolved, isArchived = false }: JiraState,
  reading: Reading,
): Pick<ImportItem, 'status' | 'canceledReason'> {
  const text = textOf(category);
  const known = text === undefined ? undefined : CATEGORIES.get(foldWord(text));
  if (text !== undefined && known === undefined) reading.note('status', text, 'the category is not understood');
  const outcome = reading.resolution(resolution);
  const stated = reading.status(name, 'status', known) ?? outcome ?? (isResolved ? 'done' : undefined);
  const reason = textOf(resolution);
  if (stated === 'done' && outcome === 'canceled') return { status: 'canceled', canceledReason: reason };
  if (isArchived && stated !== 'done' && stated !== 'canceled') {
    return { status: 'canceled', canceledReason: 'The project is archived in Jira.' };
  }
  if (stated !== 'canceled') return { status: stated };
  return { status: stated, canceledReason: outcome === 'canceled' ? reason : textOf(name) };
}
