import type { Priority } from '../../demands/demand.lifecycle.js';
import { lookUp, wordsIn } from './fold.js';

/** The names of priorities in English, German, French, Spanish, Portuguese and Japanese. */
const WORDS: Record<Priority, string> = {
  urgent:
    'urgent|highest|blocker|critical|immediate|very high|p0|dringend|höchste|höchster|sehr hoch|blockierend|kritisch|' +
    'urgente|la plus haute|critique|bloquant|más alta|muy alta|crítica|bloqueante|mais alta|muito alta|最高|緊急',
  high: 'high|major|p1|hoch|schwerwiegend|haute|élevée|majeure|alta|高',
  medium: 'medium|normal|moderate|p2|mittel|moyenne|normale|media|média|中',
  low:
    'low|lowest|minor|trivial|very low|p3|p4|niedrig|gering|niedrigste|sehr niedrig|geringfügig|basse|faible|la plus basse|' +
    'mineure|triviale|baja|más baja|muy baja|menor|baixa|mais baixa|muito baixa|低|最低',
};

const PRIORITIES: ReadonlyMap<string, Priority> = new Map(
  (Object.entries(WORDS) as [Priority, string][]).flatMap(([priority, words]) =>
    wordsIn(words).map((word) => [word, priority] as const),
  ),
);

/** Returns the priority of that name; undefined for an unknown one. */
export const priorityOf = (name: string): Priority | undefined => lookUp(PRIORITIES, name);

/** What a file says of the priority of an item: the priority, or a name that is kept because it is none. */
export interface SaidPriority {
  priority?: Priority | null;
  unknown?: { priority: string };
}

/** Reads the name of a priority; undefined if the file has no priorities, null if the item has none. */
export function saidPriority(name: string | null | undefined): SaidPriority {
  if (name === undefined) return {};
  const priority = name === null ? null : priorityOf(name);
  return priority === undefined ? { unknown: { priority: name as string } } : { priority };
}
