import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { verificationRecordOf } from './domain.rules.js';

const TIMEOUT_MS = 2_000;

/** The answers of name servers that there is no such name, or no record of that type. */
const ABSENT = ['ENODATA', 'ENOTFOUND'];

/** Whether the name servers answered with the record, without it, or not at all. */
export type RecordState = 'found' | 'absent' | 'unknown';

/** Looks up the records with which domains are proved. */
@Injectable()
export class DomainRecords {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });

  constructor({ DNS_SERVERS }: Settings) {
    if (DNS_SERVERS.length > 0) this.resolver.setServers(DNS_SERVERS);
  }

  /** Exactly the name of the domain is asked for; long records come in parts. */
  async stateOf(domain: string, token: string): Promise<RecordState> {
    try {
      const records = await this.resolver.resolveTxt(domain);
      return records.some((parts) => parts.join('') === verificationRecordOf(token)) ? 'found' : 'absent';
    } catch (error) {
      return ABSENT.includes((error as { code?: string }).code ?? '') ? 'absent' : 'unknown';
    }
  }
}
