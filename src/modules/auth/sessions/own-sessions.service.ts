import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { Sessions } from '../../../access/authentication/sessions.js';
import { notFound } from '../../../common/errors.js';
import { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { selectFields } from '../../../platform/http/requests/selected-fields.js';
import { Listing } from '../../../platform/listing/listing.js';
import { sessionList } from './session.list.js';

/** Lists a user's sessions and ends them. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly listing: Listing,
    private readonly sessions: Sessions,
  ) {}

  async list(me: Caller, query: RawQuery): Promise<Page> {
    const { fields, ...request } = this.listing.read(sessionList, query);
    const page = await this.listing.pageOf(me, sessionList, request);
    return page.mapRows((session) => {
      const marked = { ...session, is_current: session.id === me.sessionId };
      return fields === undefined ? marked : selectFields(marked, fields);
    }, fields);
  }

  /** 404 for sessions that have ended or belong to other users. */
  async end(me: Caller, id: string): Promise<{ ended: number }> {
    if (!(await this.sessions.endOwn(me.userId, id))) throw notFound();
    return { ended: 1 };
  }

  /** Ends all sessions except the current one. */
  async endOthers(me: Caller): Promise<{ ended: number }> {
    return { ended: await this.sessions.endAll(me.userId, me.sessionId) };
  }
}
