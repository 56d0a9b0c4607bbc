import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { homeOrganizationOf } from '../../access/home.js';
import { notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/events/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import {
  TextObservers,
  type ObservedText,
  type TextPlace,
  type TextObserver,
} from '../../platform/text-observers/text-observers.js';
import { MessagesService } from '../messages/messages.service.js';
import { alertList } from './alert.list.js';
import { AlertsRepository } from './alerts.repository.js';
import { findTerms } from './term-search.js';

interface Watched {
  organizationId: string;
  term: string;
  folded: string;
  weight: number;
}

interface Caught extends Watched {
  id: string;
  excerpt: string;
}

/** The organization of the endeavour `$1`, or of the endeavour that contains the entity `$3`. */
const HOME = homeOrganizationOf('coalesce($1, (SELECT x.endeavour_id FROM entities x WHERE x.id = $3))');

/** Searches what is written in the endeavours of an organization, and sent to all of it, for its alert terms. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly access: Access,
    private readonly alerts: AlertsRepository,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly messages: MessagesService,
    private readonly writer: ResourceWriter,
    textObservers: TextObservers,
  ) {
    textObservers.register((place) => this.watch(place));
    textObservers.registerEraser((entityId) => this.eraseExcerpts(entityId));
  }

  async list(me: Caller, organizationId: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(alertList, query);
    await this.access.authorize(me, 'organizations_alerts_list', organizationId);
    const always = `x.deleted_at IS NULL AND a.organization_id = `;
    return this.listing.pageOf(
      me,
      { ...alertList, baseCondition: ({ bind }) => always + bind(organizationId) },
      request,
    );
  }

  /** Reads an alert, for admins of its organization; 404 while its entity is not visible. */
  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const organizationId = await this.alerts.organizationOf(id);
    if (organizationId === undefined) throw notFound();
    await this.access.authorizeWithoutLock(me, 'alerts_get', organizationId);
    const alert = await this.alerts.read(me, id, fields);
    if (alert === undefined) throw notFound();
    return alert;
  }

  /** An alert keeps that a term was found, and where. */
  private async eraseExcerpts(entityId: string): Promise<number> {
    const rows = await this.database.query(
      'UPDATE alerts SET excerpt = term WHERE entity_id = $1 AND excerpt <> term RETURNING 1',
      [entityId],
    );
    return rows.length;
  }

  private async watch(place: TextPlace): Promise<TextObserver> {
    const watched = await this.watchedIn(place);
    return (actor, text) => {
      const caught = caughtIn(watched, text.texts);
      return caught.length === 0 ? undefined : () => this.raise(actor, text, caught);
    };
  }

  /** One indexed statement, which is all that it costs where nothing is watched for. */
  private watchedIn({ endeavourId, organizationId, thingId }: TextPlace): Promise<Watched[]> {
    return this.database.query<Watched>(
      `SELECT t.organization_id AS "organizationId", t.term, t.folded, t.weight FROM alert_terms t
       WHERE t.organization_id = coalesce($2, ${HOME}) ORDER BY t.folded`,
      [endeavourId ?? null, organizationId ?? null, thingId ?? null],
    );
  }

  private async raise(actor: Actor | null, { kind, entityId }: ObservedText, caught: Caught[]): Promise<void> {
    await this.database.query(
      `INSERT INTO alerts (id, organization_id, entity_type, entity_id, term, weight, excerpt, author_id)
       SELECT caught.id, caught."organizationId", $2, $3, caught.term, caught.weight, caught.excerpt, $4
       FROM json_to_recordset($1::json)
         AS caught (id text, "organizationId" text, term text, weight smallint, excerpt text)`,
      [JSON.stringify(caught), kind, entityId, actor?.resourceId ?? null],
    );
    for (const organizationId of new Set(caught.map((alert) => alert.organizationId))) {
      const own = caught.filter((alert) => alert.organizationId === organizationId);
      await this.tell(actor, organizationId, { kind, entityId }, own);
    }
  }

  private async tell(
    actor: Actor | null,
    organizationId: string,
    { kind, entityId }: Pick<ObservedText, 'kind' | 'entityId'>,
    caught: Caught[],
  ): Promise<void> {
    const alerts = caught.map(({ id, term, weight }) => ({ id, term, weight, entity_type: kind, entity_id: entityId }));
    const news = { type: 'alert.raised', data: { alerts } };
    await this.writer.recordEvent(actor, 'organization', organizationId, { organizationId }, news);
    const recipients = await this.adminsOf(organizationId);
    if (recipients.length === 0) return;
    await this.messages.send(null, {
      recipients,
      subject: `Alert: ${caught.map(({ term }) => term).join(', ')}`.slice(0, 200),
      content: caught.map(({ term, weight, excerpt }) => `${term} (${weight}): ${excerpt}`).join('\n\n'),
      intent: 'alert',
      entityId,
    });
  }

  private async adminsOf(organizationId: string): Promise<string[]> {
    const rows = await this.database.query<{ resource_id: string }>(
      `SELECT resource_id FROM organization_resources
       WHERE organization_id = $1 AND user_id IS NOT NULL AND role_rank(role) >= 3 ORDER BY resource_id`,
      [organizationId],
    );
    return rows.map(({ resource_id }) => resource_id);
  }
}

/** Each term that is in one of the texts, with the passage where it first is. */
function caughtIn(watched: readonly Watched[], texts: ObservedText['texts']): Caught[] {
  if (watched.length === 0) return [];
  const folded = [...new Set(watched.map((term) => term.folded))];
  const excerpts = new Map<string, string>();
  for (const text of texts) {
    if (!text) continue;
    for (const [term, excerpt] of findTerms(text, folded)) if (!excerpts.has(term)) excerpts.set(term, excerpt);
  }
  return watched.flatMap((term) => {
    const excerpt = excerpts.get(term.folded);
    return excerpt === undefined ? [] : [{ ...term, id: newId('alert'), excerpt }];
  });
}
