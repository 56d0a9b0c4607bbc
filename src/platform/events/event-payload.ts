import type { Kind } from '../../common/kinds.js';
import type { ResourceScope } from './actor.js';

/** The event of a write; its container is that of the entity. */
export interface EventPayload {
  /** `task.updated`; by default made from the view's kind and the act. */
  type?: string;
  /** What changed, under its wire names, with what it was before. */
  previous?: Record<string, unknown>;
  /** Under which names something changed; those of `previous` where nothing is said. */
  changed?: string[];
  /** Affected resources besides those that the view names. */
  audience?: readonly string[];
}

/** An event of an entity whose data is not its own representation. */
export interface EventRecord extends EventPayload {
  kind: Kind;
  id: string;
  place: ResourceScope;
  type: string;
  data: Record<string, unknown>;
}
