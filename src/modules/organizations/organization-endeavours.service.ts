import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/context/actor.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { OrganizationEndeavoursRepository, type EndeavourLink } from './organization-endeavours.repository.js';

export type { EndeavourLink };

/** Manages the links between organizations and endeavours, without access checks. */
@Injectable()
export class OrganizationEndeavoursService {
  constructor(
    private readonly links: OrganizationEndeavoursRepository,
    private readonly events: EventRecorder,
  ) {}

  insert(me: Actor, link: EndeavourLink): Promise<void> {
    return this.links.insert(link, me.userId);
  }

  /** Shares the endeavour with the organization; `linkedBy` is whom the home organization owes the link to. */
  async share(me: Actor, link: EndeavourLink, linkedBy = me.userId): Promise<void> {
    await this.links.insert(link, linkedBy);
    await this.recordEvent(me, link, 'endeavour.linked');
  }

  remove(me: Actor, link: EndeavourLink): Promise<void> {
    return this.links.delete(me, link);
  }

  /** Ends the sharing of an endeavour with an organization that is not its home. */
  async unshare(me: Actor, link: EndeavourLink): Promise<void> {
    await this.remove(me, link);
    await this.recordEvent(me, link, 'endeavour.unlinked');
  }

  isLinked(link: EndeavourLink): Promise<boolean> {
    return this.links.exists(link);
  }

  /** Whether a link of the endeavour to the organization ended at that time or later. */
  hasEndedSince(link: EndeavourLink, time: Date): Promise<boolean> {
    return this.links.hasEndedSince(link, time);
  }

  /** The organization that is the home of the endeavour. */
  homeOf(endeavourId: string): Promise<string | null> {
    return this.links.homeOf(endeavourId);
  }

  /** Records the event in both containers, so that the members of both see it. */
  private async recordEvent(me: Actor, link: EndeavourLink, type: string): Promise<void> {
    const place = { organizationId: link.organization_id, endeavourId: link.endeavour_id };
    await this.events.record(me, 'endeavour', link.endeavour_id, place, { type, data: { ...link } });
  }
}
