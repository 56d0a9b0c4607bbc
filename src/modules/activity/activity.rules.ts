/** The properties of an event that its sentence needs. */
interface DescribedEvent {
  type: string;
  entity_type: string;
  entity_title: string;
  actor_name: string | null;
  changed: readonly string[];
  previous: Record<string, unknown>;
  data: Record<string, unknown>;
}

const ACTS: Record<string, string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  archived: 'archived',
  unarchived: 'restored',
  sent: 'sent',
  dismissed: 'dismissed',
  transferred: 'transferred',
};

/** The verbs of event types that cannot be derived from their name. */
const SENTENCES: Record<string, string> = {
  'member.added': 'added a member to',
  'member.changed': 'changed the role of a member of',
  'member.removed': 'removed a member from',
  'dod.assigned': 'assigned a Definition of Done to',
  'dod.unassigned': 'unassigned the Definition of Done of',
  'dod.changed': 'changed the approved content of the done',
  'dod.checked': 'checked the Definition of Done of',
  'dod.met': 'confirmed the Definition of Done of',
  'dod.overridden': 'overrode the Definition of Done for',
  'dod.override_lifted': 'lifted the override of the Definition of Done for',
  'visibility.gained': 'granted access to',
  'visibility.lost': 'revoked access to',
  'alert.raised': 'raised an alert in',
  'endeavour.label_renamed': 'renamed a label of',
  redacted: 'redacted the change history of',
};

const words = (name: string): string => name.replaceAll('_', ' ');

/** The changed properties as people call them; a date and its day are one. */
const propertiesOf = (changed: readonly string[]): string[] => [
  ...new Set(changed.map((name) => words(name.replace(/_id$/, '').replace(/_day$/, '_date')))),
];

/** Describes an event as an English sentence. */
export function sentenceOf(event: DescribedEvent): string {
  const actor = event.actor_name ?? 'Worksmith';
  const entity = `${words(event.entity_type)} \u201c${event.entity_title}\u201d`;
  if (event.type === 'visibility.lost' && 'entity_ids' in event.data)
    return `${actor} moved something out of ${entity}.`;
  if (event.type === 'visibility.gained' && event.entity_type === 'endeavour')
    return `${actor} changed who can see ${entity}.`;
  const special = SENTENCES[event.type];
  if (special !== undefined) return `${actor} ${special} ${entity}.`;
  const act = event.type.split('.')[1] ?? event.type;
  if (act === 'status_changed')
    return `${actor} moved ${entity} from ${valueOf(event.previous)} to ${valueOf(event.data)}.`;
  if (act === 'updated' && event.changed.length > 0) {
    return `${actor} changed ${listOf(propertiesOf(event.changed))} of ${entity}.`;
  }
  return `${actor} ${ACTS[act] ?? words(act)} ${entity}.`;
}

const valueOf = ({ status }: Record<string, unknown>): string => words(String(status));

const listOf = (names: string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
