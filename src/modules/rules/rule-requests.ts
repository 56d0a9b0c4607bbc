import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { kindOf } from '../../common/ids.js';
import { inApi } from '../../platform/http/server/declared-routes.js';
import type { SubRequest } from '../../platform/context/sub-requests.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import type { RoleOfThing, RuleAction } from './rule.rules.js';

/** The address that inner requests of background work have. */
const LOCAL_ADDRESS = '127.0.0.1';

/** Turns the actions of rules into requests. */
@Injectable()
export class RuleRequests {
  constructor(
    private readonly access: Access,
    private readonly lists: SavedLists,
  ) {}

  /** The request that carries out the action; undefined for a message without recipients. */
  async requestFor(
    me: Caller,
    { patch, comment, message }: RuleAction,
    thingId: string,
    headers: Record<string, string>,
  ): Promise<SubRequest | undefined> {
    const kind = kindOf(thingId) ?? 'task';
    const request = { headers, clientAddress: LOCAL_ADDRESS };
    if (patch !== undefined) return { ...request, method: 'PATCH', url: inApi(`/${kind}s/${thingId}`), body: patch };
    if (comment !== undefined) {
      const body = { entity_type: kind, entity_id: thingId, content: comment.content };
      return { ...request, method: 'POST', url: inApi('/comments'), body };
    }
    const { to = [], recipient_ids: named = [], ...texts } = message ?? { content: '' };
    const recipients = [...new Set([...(await this.peopleOf(me, thingId, to)), ...named])];
    if (recipients.length === 0) return undefined;
    const body = { ...texts, recipient_ids: recipients, entity_id: thingId };
    return { ...request, method: 'POST', url: inApi('/messages'), body };
  }

  /** The resources with these roles in the thing; demands have no assignee. */
  private async peopleOf(me: Caller, thingId: string, roles: readonly RoleOfThing[]): Promise<string[]> {
    const { view } = this.lists.of(kindOf(thingId) ?? 'task');
    const fields = roles.map((role) => `${role}_id`).filter((name) => Object.hasOwn(view.fields, name));
    if (fields.length === 0) return [];
    const thing = await this.access.getOr404(me, view, thingId, { fields: ['id', ...fields] });
    const values = thing.read(view) as Record<string, unknown>;
    return fields.map((name) => values[name]).filter((id) => typeof id === 'string');
  }
}
