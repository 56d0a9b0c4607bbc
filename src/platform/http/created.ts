import type { Representation } from '../database/view.js';

/** The answer of a request that changes a thing or creates it: this time it was created (201). */
export class Created {
  constructor(readonly representation: Representation) {}
}
