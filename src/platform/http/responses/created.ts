import type { Representation } from '../../database/views/view.js';

/** The result of a request that created the entity instead of changing it (201). */
export class Created {
  constructor(readonly representation: Representation) {}
}
