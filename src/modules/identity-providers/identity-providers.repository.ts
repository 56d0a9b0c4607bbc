import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { seal, unseal } from '../../platform/config/sealing.js';
import { Database } from '../../platform/database/database.js';
import { isProvedBy } from '../domains/domain.view.js';
import type { ConnectedProvider } from './protocol/provider-connections.js';
import type { GroupRole, ProviderRole } from './identity-provider.entity.js';

/** A provider as sign-ins need it. */
export interface SignInProvider extends ConnectedProvider {
  name: string;
  organizationId: string | null;
  scopes: string[];
  /** The domains for whose addresses it may speak. */
  domains: string[];
  trustEmail: boolean;
  provesSecondFactor: boolean;
  jit: boolean;
  role: ProviderRole;
  groupsClaim: string | null;
  groupRoles: GroupRole[];
  isEnabled: boolean;
}

/** A provider as people who sign in see it. */
export interface OfferedProvider {
  id: string;
  name: string;
}

/** SQL: whether the provider `idp` speaks for a domain of its list: that of an organization only while that is proved. */
const speaksFor = (domain: string): string =>
  `(idp.organization_id IS NULL OR ${isProvedBy('idp.organization_id', domain)})`;

const PROVED_DOMAINS = `ARRAY(SELECT own FROM unnest(idp.domains) own WHERE ${speaksFor('own')})`;

const SIGN_IN_COLUMNS = `idp.id, idp.name, idp.issuer, idp.client_id AS "clientId", idp.client_secret AS "clientSecret",
  idp.organization_id AS "organizationId", idp.scopes, ${PROVED_DOMAINS} AS domains, idp.trust_email AS "trustEmail",
  idp.proves_second_factor AS "provesSecondFactor", idp.jit, idp.role, idp.groups_claim AS "groupsClaim", idp.group_roles AS "groupRoles",
  idp.is_enabled AS "isEnabled"`;

/** Reads identity providers, and encrypts their secrets with a key that is derived from PEPPER. */
@Injectable()
export class IdentityProvidersRepository {
  private readonly key = this.secrets.keyFor('identity-provider-secret');

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  sealed(id: string, secret: string | null | undefined): string | null {
    return secret === undefined || secret === null ? null : seal(this.key, id, Buffer.from(secret));
  }

  /** The number of providers of the organization. */
  async count(organizationId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      `SELECT count(*)::integer AS count FROM identity_providers
       WHERE organization_id = $1 AND deleted_at IS NULL`,
      [organizationId],
    );
    return row?.count ?? 0;
  }

  /** The roles that groups have at all enabled providers of the organization. */
  async groupRolesIn(organizationId: string): Promise<GroupRole[]> {
    const rows = await this.database.query<{ groupRoles: GroupRole[] }>(
      `SELECT group_roles AS "groupRoles" FROM identity_providers WHERE organization_id = $1 AND is_enabled ORDER BY id`,
      [organizationId],
    );
    return rows.flatMap(({ groupRoles }) => groupRoles);
  }

  /** A provider with which people can sign in. */
  enabled(id: string): Promise<SignInProvider | undefined> {
    return this.read(`idp.id = $1 AND idp.is_enabled`, id);
  }

  /** A provider that is not deleted. */
  find(id: string): Promise<SignInProvider | undefined> {
    return this.read(`idp.id = $1 AND idp.deleted_at IS NULL`, id);
  }

  /** The providers to offer to people with an address in that domain, and those that are offered to everybody. */
  offeredFor(domain: string): Promise<OfferedProvider[]> {
    return this.database.query<OfferedProvider>(
      `SELECT idp.id, idp.name FROM identity_providers idp
       WHERE idp.is_enabled AND (($1 = ANY (idp.domains) AND ${speaksFor('$1')}) OR (idp.organization_id IS NULL AND idp.domains = '{}'))
       ORDER BY idp.name, idp.id LIMIT 20`,
      [domain],
    );
  }

  private async read(where: string, id: string): Promise<SignInProvider | undefined> {
    const row = await this.database.one<Omit<SignInProvider, 'secret'> & { clientSecret: string | null }>(
      `SELECT ${SIGN_IN_COLUMNS} FROM identity_providers idp WHERE ${where}`,
      [id],
    );
    if (row === undefined) return undefined;
    const { clientSecret, ...provider } = row;
    const secret = clientSecret === null ? null : (unseal(this.key, id, clientSecret)?.toString() ?? '');
    return { ...provider, secret };
  }
}
