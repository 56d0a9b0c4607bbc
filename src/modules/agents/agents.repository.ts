import { Injectable } from '@nestjs/common';
import { DIRECTED_AGENT, LOCK_DIRECTED_AGENT } from '../../access/memberships/agents.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { oneAsJson, Representation, type Json } from '../../platform/database/views/view.js';
import { agentView } from './agent.view.js';

/** Reads and writes agents. */
@Injectable()
export class AgentsRepository {
  constructor(private readonly database: Database) {}

  async read(id: string): Promise<Representation> {
    const sql = oneAsJson(agentView, 'u.id = $2 AND ($1::text IS NULL OR true)');
    return Representation.of(await this.database.one<Json>(sql, [null, id]), agentView);
  }

  /** Whether the caller directs the agent; false for any other user. */
  async isDirected(me: Caller, id: string): Promise<boolean> {
    return (await this.database.one(DIRECTED_AGENT, [me.userId, id, me.isAdmin])) !== undefined;
  }

  /** Locks an agent that the caller directs; false for any other user. */
  async lockDirected(me: Caller, id: string): Promise<boolean> {
    return (await this.database.one(LOCK_DIRECTED_AGENT, [me.userId, id, me.isAdmin])) !== undefined;
  }
}
