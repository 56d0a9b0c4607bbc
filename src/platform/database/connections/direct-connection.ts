import type { Connection } from './connection.js';

/** How to connect to the server itself, for what needs a connection of its own; no pooler is in between. */
export class DirectConnection {
  constructor(readonly connection: Connection) {}
}
