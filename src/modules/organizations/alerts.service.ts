import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/events/actor.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import {
  TextObservers,
  type ObservedText,
  type TextScope,
  type TextObserver,
} from '../../platform/text-observers/text-observers.js';
import { MessagesService } from '../messages/messages.service.js';
import { AlertTermsRepository, type WatchedTerm } from './alert-terms.repository.js';
import { alertList, alertsOf } from './alert.list.js';
import { AlertsRepository, type CaughtTerm } from './alerts.repository.js';
import { OrganizationMembersRepository } from './organization-members.repository.js';
import { findTerms } from './term-search.js';

/** Searches texts in the endeavours of an organization, and messages to all of its members, for its alert terms. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly access: Access,
    private readonly alerts: AlertsRepository,
    private readonly listing: Listing,
    private readonly members: OrganizationMembersRepository,
    private readonly messages: MessagesService,
    private readonly terms: AlertTermsRepository,
    private readonly events: EventRecorder,
    textObservers: TextObservers,
  ) {
    textObservers.register((place) => this.watch(place));
    textObservers.registerEraser((entityId) => this.alerts.eraseExcerpts(entityId));
  }

  async list(me: Caller, organizationId: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(alertList, query);
    await this.access.authorize(me, 'organizations_alerts_list', organizationId);
    return this.listing.pageOf(me, alertsOf(organizationId), request);
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

  private async watch(place: TextScope): Promise<TextObserver> {
    const watched = await this.terms.watchedIn(place);
    return (actor, text) => {
      const caught = caughtIn(watched, text.texts);
      return caught.length === 0 ? undefined : () => this.raise(actor, text, caught);
    };
  }

  private async raise(actor: Actor | null, { kind, entityId }: ObservedText, caught: CaughtTerm[]): Promise<void> {
    await this.alerts.insert(caught, { kind, entityId }, actor?.resourceId ?? null);
    for (const organizationId of new Set(caught.map((alert) => alert.organizationId))) {
      const own = caught.filter((alert) => alert.organizationId === organizationId);
      await this.tell(actor, organizationId, { kind, entityId }, own);
    }
  }

  private async tell(
    actor: Actor | null,
    organizationId: string,
    { kind, entityId }: Pick<ObservedText, 'kind' | 'entityId'>,
    caught: CaughtTerm[],
  ): Promise<void> {
    const alerts = caught.map(({ id, term, weight }) => ({ id, term, weight, entity_type: kind, entity_id: entityId }));
    const news = { type: 'alert.raised', data: { alerts } };
    await this.events.record(actor, 'organization', organizationId, { organizationId }, news);
    const recipients = await this.members.adminsOf(organizationId);
    if (recipients.length === 0) return;
    await this.messages.send(null, {
      recipients,
      subject: `Alert: ${caught.map(({ term }) => term).join(', ')}`.slice(0, 200),
      content: caught.map(({ term, weight, excerpt }) => `${term} (${weight}): ${excerpt}`).join('\n\n'),
      intent: 'alert',
      entityId,
    });
  }
}

/** The terms in the texts, each with the passage of its first occurrence. */
function caughtIn(watched: readonly WatchedTerm[], texts: ObservedText['texts']): CaughtTerm[] {
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
