import type { Actor } from '../platform/changes/actor.js';

/** Who is asking, as the database knows it at this request. */
export interface Caller extends Actor {
  sessionId: string;
  isAdmin: boolean;
  tier: number;
}
