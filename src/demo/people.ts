import { createHmac } from 'node:crypto';
import { StartError } from '../common/start-error.js';
import { Client, Refused, type ApiRecord } from './client.js';
import { ORGANIZATION, PEOPLE, type PersonName } from './story.js';

/** A person of the story, signed in. */
export interface DemoPerson {
  id: string;
  resourceId: string;
  email: string;
  password: string;
  client: Client;
}

export type Cast = Record<PersonName, DemoPerson>;

const COLLEAGUES: PersonName[] = ['noor', 'theo', 'ines', 'tomasz', 'scribe'];

export const emailOf = (who: PersonName): string => `${who}@harbour.example`;

/** Derived from the administrator's password, so that a later run knows it and other people cannot. */
export const passwordOf = (who: PersonName, adminPassword: string): string =>
  `demo-${createHmac('sha256', adminPassword).update(emailOf(who)).digest('base64url').slice(0, 16)}`;

/** The administrator's session. */
export async function signInAdministrator(url: string, email: string, password: string): Promise<Client> {
  const client = await Client.signIn(url, email, password).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.code !== 'invalid_credentials') throw error;
    throw new StartError(
      `The e-mail address or password of ${email} is wrong. "npm run admin -- reset-password ${email}" prints a ` +
        'new password.',
    );
  });
  const { is_admin: isAdmin } = await client.get<{ is_admin: boolean }>('/auth/whoami');
  if (!isAdmin)
    throw new StartError(`${email} is not an administrator. "npm run admin -- promote ${email}" makes it one.`);
  return client;
}

/** The organization of an earlier run; undefined if there is none or that run did not finish. */
export async function findFinished(admin: Client): Promise<string | undefined> {
  const found = await admin.get<ApiRecord[]>(
    `/organizations?search=${encodeURIComponent(ORGANIZATION.name)}&limit=200`,
  );
  return found.find(({ metadata }) => (metadata as { demo?: string }).demo === 'finished')?.id;
}

/** Creates the people with an account each, and signs them in. */
export async function makePeople(url: string, admin: Client, adminPassword: string): Promise<Cast> {
  const cast: Partial<Cast> = {};
  for (const who of Object.keys(PEOPLE) as PersonName[]) {
    const [email, password] = [emailOf(who), passwordOf(who, adminPassword)];
    const user = await admin.post('/users', { ...PEOPLE[who], email, password, tier: 3, timezone: 'Europe/Lisbon' });
    const client = await Client.signIn(url, email, password);
    cast[who] = { id: user.id, resourceId: String(user.resource_id), email, password, client };
  }
  return cast as Cast;
}

/** Clara founds the organization; the others accept her invitations. */
export async function makeOrganization(cast: Cast): Promise<string> {
  const { clara } = cast;
  const { id: organization_id } = await clara.client.post('/organizations', ORGANIZATION);
  for (const who of COLLEAGUES) {
    const { email, client } = cast[who];
    const role = who === 'noor' ? 'admin' : 'member';
    const invitation = await clara.client.post('/invitations', { organization_id, role, email });
    await client.post(`/invitations/${invitation.id}/accept`);
  }
  return organization_id;
}

/** Marks the story as finished, so that a later run has nothing to do. */
export async function markFinished({ clara }: Cast, organization: string): Promise<void> {
  await clara.client.patch(`/organizations/${organization}`, { metadata: { demo: 'finished' } });
}
