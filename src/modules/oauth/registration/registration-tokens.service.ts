import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { AccessTokenSecrets } from '../../../access/authentication/access-token-secrets.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { conflict, notFound } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import type { Wire } from '../../../platform/database/views/view.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../../platform/http/openapi/schemas.js';
import { Listing } from '../../../platform/listing/listing.js';
import type { CreateRegistrationTokenDto } from './registration-token.dto.js';
import { RegistrationToken } from './registration-token.entity.js';
import { registrationTokenList } from './registration-token.list.js';
import { registrationTokenView } from './registration-token.view.js';
import { RegistrationTokensRepository } from './registration-tokens.repository.js';

/** A token with its secret, which is only returned when it is created. */
export type FreshRegistrationToken = Wire<typeof registrationTokenView> & { token: string };

const MAX_LIVE = 20;
const LIFE_DAYS = 90;

/** Manages the tokens with which programs of others register themselves. */
@Injectable()
export class RegistrationTokensService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly repository: RegistrationTokensRepository,
    private readonly secrets: AccessTokenSecrets,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, registrationTokenList, query);
  }

  async create(me: Caller, { name }: CreateRegistrationTokenDto): Promise<FreshRegistrationToken> {
    if ((await this.repository.countLive()) >= MAX_LIVE) {
      throw conflict('too_many_tokens', `There can be ${MAX_LIVE} registration tokens; delete one first.`);
    }
    const token = this.secrets.generate('registration');
    const row = Object.assign(new RegistrationToken(), {
      id: newId('registration_token'),
      name,
      hash: this.secrets.hashOf(token),
      expiresAt: await this.repository.expiryAfter(LIFE_DAYS),
    });
    const title = 'Registration token';
    const created = await this.writer.create(me, registrationTokenView, RegistrationToken, { row, place: {}, title });
    return { ...created.read(registrationTokenView), token };
  }

  /** Ends the token; it is invalid on every replica when the response is sent. Programs that were registered with it stay. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    const current = await this.repository.lock(id);
    if (current === undefined) throw notFound();
    this.access.assertIfMatch({ row: current });
    // Not with the change, whose event contains former values.
    await this.repository.deleteSecret(id);
    await this.writer.remove(me, registrationTokenView, RegistrationToken, current, {}, { endedAt: new Date() });
    return { id, deleted: true };
  }
}
