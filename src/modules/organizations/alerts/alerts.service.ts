import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { notFound } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import type { Actor } from '../../../platform/context/actor.js';
import { EventRecorder } from '../../../platform/events/event-recorder.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { Listing } from '../../../platform/listing/listing.js';
import {
  TextObservers,
  type ObservedText,
  type TextScope,
  type TextObserver,
} from '../../../platform/text-observers/text-observers.js';
import { MessagesService } from '../../messages/messages.service.js';
import { AlertTermsRepository, type WatchedTerm } from './alert-terms.repository.js';
import { alertList, alertsOf } from './alert.list.js';
import { AlertsRepository, type FoundTerm } from './alerts.repository.js';
import { OrganizationMembersRepository } from '../members/organization-members.repository.js';
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
    textObservers.register((place) => this.observerFor(place));
    textObservers.registerEraser((entityId) => this.alerts.eraseExcerpts(entityId));
  }

  async list(me: Caller, organizationId: string, query: RawQuery): Promise<Page> {
    const request = this.listing.read(alertList, query);
    await this.access.authorize(me, 'organizations_alerts_list', organizationId);
    return this.listing.pageOf(me, alertsOf(organizationId), request);
  }

  /** Reads an alert for an admin of its organization; 404 if its entity is not visible to the caller. */
  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const organizationId = await this.alerts.organizationOf(id);
    if (organizationId === undefined) throw notFound();
    await this.access.authorizeWithoutLock(me, 'alerts_get', organizationId);
    const alert = await this.alerts.read(me, id, fields);
    if (alert === undefined) throw notFound();
    return alert;
  }

  private async observerFor(place: TextScope): Promise<TextObserver> {
    const terms = await this.terms.termsFor(place);
    return (actor, text) => {
      const found = findIn(terms, text.texts);
      return found.length === 0 ? undefined : () => this.raise(actor, text, found);
    };
  }

  private async raise(actor: Actor | null, { kind, entityId }: ObservedText, found: FoundTerm[]): Promise<void> {
    await this.alerts.insert(found, { kind, entityId }, actor?.resourceId ?? null);
    for (const organizationId of new Set(found.map((alert) => alert.organizationId))) {
      const own = found.filter((alert) => alert.organizationId === organizationId);
      await this.notifyAdmins(actor, organizationId, { kind, entityId }, own);
    }
  }

  private async notifyAdmins(
    actor: Actor | null,
    organizationId: string,
    { kind, entityId }: Pick<ObservedText, 'kind' | 'entityId'>,
    found: FoundTerm[],
  ): Promise<void> {
    const alerts = found.map(({ id, term, weight }) => ({ id, term, weight, entity_type: kind, entity_id: entityId }));
    const event = { type: 'alert.raised', data: { alerts } };
    await this.events.record(actor, 'organization', organizationId, { organizationId }, event);
    const recipients = await this.members.adminsOf(organizationId);
    if (recipients.length === 0) return;
    await this.messages.send(null, {
      recipients,
      subject: `Alert: ${found.map(({ term }) => term).join(', ')}`.slice(0, 200),
      content: found.map(({ term, weight, excerpt }) => `${term} (${weight}): ${excerpt}`).join('\n\n'),
      intent: 'alert',
      entityId,
    });
  }
}

/** The terms that occur in the texts, each with the text around its first occurrence. */
function findIn(terms: readonly WatchedTerm[], texts: ObservedText['texts']): FoundTerm[] {
  if (terms.length === 0) return [];
  const folded = [...new Set(terms.map((term) => term.folded))];
  const excerpts = new Map<string, string>();
  for (const text of texts) {
    if (!text) continue;
    for (const [term, excerpt] of findTerms(text, folded)) if (!excerpts.has(term)) excerpts.set(term, excerpt);
  }
  return terms.flatMap((term) => {
    const excerpt = excerpts.get(term.folded);
    return excerpt === undefined ? [] : [{ ...term, id: newId('alert'), excerpt }];
  });
}
