import type { Kind } from '../../common/kinds.js';
import type { ResourceScope } from '../context/actor.js';

/** The event of a write; its container is that of the entity. */
export interface EventPayload {
  /** `task.updated`; derived from the view's kind and the act by default. */
  type?: string;
  /** The previous values of the changed properties, by wire name. */
  previous?: Record<string, unknown>;
  /** The names of the changed properties; those of `previous` by default. */
  changed?: string[];
  /** Affected resources besides those that the view names. */
  audience?: readonly string[];
}

/** An event whose data is not the representation of its entity. */
export interface EventRecord extends EventPayload {
  kind: Kind;
  id: string;
  place: ResourceScope;
  type: string;
  data: Record<string, unknown>;
}
