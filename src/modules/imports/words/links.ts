import { foldWord, lookUp, wordsIn } from './fold.js';

/** The types of relations that an import creates. */
export type RelationType = 'depends_on' | 'blocks' | 'parent_of' | 'relates_to' | 'duplicates';

/** A relation, as seen from the item at which it stands. */
export interface Direction {
  type: RelationType;
  /** Whether the other item is the source. */
  isIncoming?: boolean;
}

/** Names of link types, as seen from the issue that is the source of an outward link. */
const TYPES: readonly (readonly [Direction, string])[] = [
  [
    { type: 'blocks' },
    'blocks|blocker|blocking|block|gantt end to start|finish to start|sequence|precedes|predecessor|blockiert|bloque|bloquea|bloqueia|ブロック',
  ],
  [
    { type: 'depends_on' },
    'depends|dependency|depends on|dependent|depend|hängt ab von|abhängigkeit|dépend de|dépendance|depende de|dependencia|dependência|依存',
  ],
  [
    { type: 'duplicates' },
    'duplicate|duplicates|duplikat|dupliziert|doublon|duplique|duplicado|duplica|duplicata|重複',
  ],
  [
    { type: 'parent_of' },
    'parent of|is parent of|parent|parent child|parent/child|hierarchy|contains|epic|übergeordnet|parent de|padre de|pai de|親',
  ],
  [
    { type: 'parent_of', isIncoming: true },
    'child of|is child of|part of|subtask of|untergeordnet|enfant de|hijo de|filho de|子',
  ],
  [
    { type: 'relates_to' },
    'relates|relates to|related|related to|relate|relation|verwandt|bezieht sich auf|lié|est lié à|relacionado|relacionada|está relacionado con|está relacionado a|関連|関連している',
  ],
];

/** Phrases for the direction of a link, as they stand at the issue itself. */
const PHRASES: readonly (readonly [Direction, string])[] = [
  [
    { type: 'blocks' },
    'blocks|blockiert|bloque|bloquea|bloqueia|ブロックする|ブロックしている|次をブロックする|is a dependency of|has to be done before',
  ],
  [
    { type: 'blocks', isIncoming: true },
    'is blocked by|blocked by|wird blockiert von|wird blockiert durch|ist blockiert durch|est bloqué par|está bloqueada por|está bloqueado por|é bloqueado por|é bloqueada por|ブロックされている|ブロックされる|次によってブロックされる|has to be done after',
  ],
  [{ type: 'depends_on' }, 'depends on|hängt ab von|ist abhängig von|dépend de|depende de|依存する|依存している'],
  [
    { type: 'depends_on', isIncoming: true },
    'is depended on by|is required by|is dependency of|wird benötigt von|est requis par|es requerido por|é requerido por|依存されている',
  ],
  [
    { type: 'duplicates' },
    'duplicates|dupliziert|ist duplikat von|duplique|est un doublon de|duplica|es un duplicado de|重複する|重複している',
  ],
  [
    { type: 'duplicates', isIncoming: true },
    'is duplicated by|wird dupliziert von|wird dupliziert durch|est dupliqué par|está duplicada por|está duplicado por|é duplicado por|重複されている',
  ],
  [
    { type: 'parent_of' },
    'is parent of|parent of|contains|has child|ist übergeordnet|contient|es padre de|contiene|é pai de|contém',
  ],
  [
    { type: 'parent_of', isIncoming: true },
    'is child of|child of|is part of|is contained in|ist untergeordnet|fait partie de|es hijo de|forma parte de|é filho de|faz parte de',
  ],
];

const tableOf = (rows: readonly (readonly [Direction, string])[]): ReadonlyMap<string, Direction> =>
  new Map(rows.flatMap(([direction, words]) => wordsIn(words).map((word) => [word, direction] as const)).toReversed());
const BY_TYPE = tableOf(TYPES);
const BY_PHRASE = tableOf(PHRASES);

/** The relation types of this service that `options.links` can name, with the direction. */
export const LINK_OPTIONS = [
  'blocks',
  'blocked_by',
  'depends_on',
  'required_by',
  'parent_of',
  'child_of',
  'relates_to',
  'duplicates',
  'duplicated_by',
] as const;
export type LinkOption = (typeof LINK_OPTIONS)[number];

const OPTIONS: Record<LinkOption, Direction> = {
  blocks: { type: 'blocks' },
  blocked_by: { type: 'blocks', isIncoming: true },
  depends_on: { type: 'depends_on' },
  required_by: { type: 'depends_on', isIncoming: true },
  parent_of: { type: 'parent_of' },
  child_of: { type: 'parent_of', isIncoming: true },
  relates_to: { type: 'relates_to' },
  duplicates: { type: 'duplicates' },
  duplicated_by: { type: 'duplicates', isIncoming: true },
};

const reversed = ({ type, isIncoming = false }: Direction): Direction => ({ type, isIncoming: !isIncoming });

/** The direction of a link of this type, from the issue at which it stands. */
export function directionOf(
  { name, phrase, isIncoming }: { name: string; phrase?: string; isIncoming: boolean },
  option: LinkOption | undefined,
): Direction | undefined {
  const outward = option === undefined ? undefined : OPTIONS[option];
  if (outward !== undefined) return isIncoming ? reversed(outward) : outward;
  const byPhrase = phrase === undefined ? undefined : lookUp(BY_PHRASE, phrase);
  if (byPhrase !== undefined) return byPhrase;
  const byType = BY_TYPE.get(foldWord(name));
  return byType && isIncoming ? reversed(byType) : byType;
}
