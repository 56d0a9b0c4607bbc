import { Injectable } from '@nestjs/common';
import { isId } from '../../../common/ids.js';
import { ClientDocuments } from './client-documents.js';
import { clientProperties } from './oauth-clients.js';
import { OauthClientsRepository } from './oauth-clients.repository.js';

/** Finds the programs that the library does not know from its configuration. */
@Injectable()
export class ClientLookup {
  constructor(
    private readonly clients: OauthClientsRepository,
    private readonly documents: ClientDocuments,
  ) {}

  /** What the library reads of the program with the id; undefined if there is none. Throws what {@link ClientDocuments} throws. */
  async find(id: string): Promise<Record<string, unknown> | undefined> {
    if (isId('oauth_client', id)) return this.registered(id);
    const metadata = await this.documents.find(id);
    return metadata && clientProperties(id, metadata, 'metadata');
  }

  /**
   * Keeps a registered program as it is until the end of the transaction; false if it is not known any more. Documents cannot be
   * locked, and are read again when the program asks for tokens.
   */
  async keep(id: string): Promise<boolean> {
    return !isId('oauth_client', id) || (await this.clients.keep(id));
  }

  private async registered(id: string): Promise<Record<string, unknown> | undefined> {
    const client = await this.clients.find(id);
    return client && clientProperties(id, client, client.registeredBy, client.secretHash);
  }
}
