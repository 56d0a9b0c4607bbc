import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Sessions } from '../../access/authentication/sessions.js';
import { StepUp } from '../../access/second-factor/step-up.js';
import { WaysIn } from '../../access/authentication/ways-in.js';
import { ApiError, conflict, notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { RequestContext } from '../../platform/context/request-context.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Listing } from '../../platform/listing/listing.js';
import { CredentialChanges } from '../users/credential-changes.js';
import { Assertions } from './assertions.js';
import type { CreatePasskeyDto, UpdatePasskeyDto } from './passkey.dto.js';
import { Passkey } from './passkey.entity.js';
import { passkeyList } from './passkey.list.js';
import { passkeyView } from './passkey.view.js';
import { PasskeysRepository } from './passkeys.repository.js';

const MAX_PASSKEYS = 10;
const HANDLE_BYTES = 64;

const verificationFailed = (): ApiError =>
  new ApiError(
    'verification_failed',
    'The passkey is not for this service or this session, or was asked for too long ago.',
  );

/** Manages the passkeys of the caller. */
@Injectable()
export class PasskeysService implements OnModuleInit {
  constructor(
    private readonly assertions: Assertions,
    private readonly changes: CredentialChanges,
    private readonly context: RequestContext,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly passkeys: PasskeysRepository,
    private readonly sessions: Sessions,
    private readonly stepUp: StepUp,
    private readonly waysIn: WaysIn,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.waysIn.provide(async (userId) => (await this.passkeys.ofUser(userId)).length);
    this.stepUp.provideMethods(async (userId) => ((await this.passkeys.ofUser(userId)).length > 0 ? ['passkey'] : []));
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, passkeyList, query);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const passkey = await this.passkeys.read(me.userId, id, fields);
    if (passkey === undefined) throw notFound();
    return passkey;
  }

  /** The name that the authenticator uses for the user: that of the present passkeys, or a new one. */
  async userHandleOf(me: Caller): Promise<{ userHandle: string; present: string[] }> {
    const present = await this.passkeys.ofUser(me.userId);
    const userHandle = present[0]?.userHandle ?? randomBytes(HANDLE_BYTES).toString('base64url');
    return { userHandle, present: present.map(({ credentialId }) => credentialId) };
  }

  async create(me: Caller, { name, credential }: CreatePasskeyDto): Promise<Representation> {
    const made = await this.assertions.registered(me.sessionId, credential);
    if (made === undefined) throw verificationFailed();
    return this.database.transaction(async () => {
      await this.passkeys.lockUser(me.userId);
      if ((await this.passkeys.ofUser(me.userId)).length >= MAX_PASSKEYS) throw tooMany();
      if ((await this.passkeys.byCredential(made.credentialId)) !== undefined) throw verificationFailed();
      const row = Object.assign(new Passkey(), {
        ...made,
        id: newId('passkey'),
        userId: me.userId,
        name,
        counter: String(made.counter),
      });
      const place = { ownerUserId: me.userId };
      const created = await this.writer.create(me, passkeyView, Passkey, { row, place, title: 'Passkey' });
      await this.changes.tell(me.userId, 'passkey_added');
      return created;
    });
  }

  async update(me: Caller, id: string, { name }: UpdatePasskeyDto): Promise<Representation> {
    const current = await this.lock(me, id);
    return this.writer.patch(me, passkeyView, Passkey, {
      current,
      changes: { name },
      place: { ownerUserId: me.userId },
    });
  }

  /** Removes a passkey, which ends all other sessions; 409 `last_credential` if the user could not sign in any more. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    await this.passkeys.lockUser(me.userId);
    const current = await this.lock(me, id);
    if ((await this.waysIn.countOf(me.userId)) === 1) throw lastCredential();
    const place = { ownerUserId: me.userId };
    await this.writer.remove(me, passkeyView, Passkey, current, place, { endedAt: new Date() });
    await this.waysIn.assertMayLose(me.userId);
    await this.sessions.endAll(me.userId, me.sessionId);
    await this.changes.tell(me.userId, 'passkey_removed');
    return { id, deleted: true };
  }

  private async lock(me: Caller, id: string): Promise<Passkey> {
    const current = await this.passkeys.lock(me.userId, id);
    if (current === undefined) throw notFound();
    this.context.assertIfMatch(current.revision);
    return current;
  }
}

const tooMany = (): ApiError =>
  conflict('too_many_passkeys', `You can have at most ${MAX_PASSKEYS} passkeys; remove one first.`);
const lastCredential = (): ApiError =>
  conflict('last_credential', 'This is your only way to sign in. Set a password or add another passkey first.');
