import { randomBytes } from 'node:crypto';
import { LyingProvider } from '../support/lying-provider.js';
import { NameServer } from '../support/name-server.js';
import { CALLBACK, CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let names: NameServer;
let liar: LyingProvider;
let ada: Person;
let olga: Person;
let organization: string;
let domain: string;

interface Claimed {
  id: string;
  record_name: string;
  record_value: string;
}

beforeAll(async () => {
  [names, liar] = await Promise.all([NameServer.start(), LyingProvider.start()]);
  app = await TestApp.open({
    DNS_SERVERS: names.address,
    LIMIT_EXEMPT_ADDRESSES: '127.0.0.1',
    OIDC_REDIRECT_URIS: CALLBACK,
    IDENTITY_ALLOW: '127.0.0.0/8',
  });
  ada = await app.admin();
});
afterAll(() => Promise.all([app.close(), names.stop(), liar.stop()]));

beforeEach(async () => {
  names.isBroken = false;
  olga = await app.person('Olga');
  organization = await app.organization(olga, { name: 'Riverside' });
  domain = `d${randomBytes(5).toString('hex')}.test`;
});

const reasonOf = (body: { error: { details: { reason: string } } }): string => body.error.details.reason;
const at = (id: string) => `/organizations/${id}/domains`;
const claim = async (name = domain, person = olga, of = organization): Promise<Claimed> =>
  (await app.as(person).post(at(of)).send({ domain: name }).expect(201)).body.data;
const verify = ({ id }: Claimed, person = olga, of = organization) => app.as(person).post(`${at(of)}/${id}/verify`);
const prove = async (name = domain, person = olga, of = organization): Promise<Claimed> => {
  const claimed = await claim(name, person, of);
  names.records.set(name, ['v=spf1 -all', claimed.record_value]);
  await verify(claimed, person, of).expect(200);
  return claimed;
};
const read = async ({ id }: Claimed, of = organization) =>
  (
    await app
      .as(ada)
      .get(`${at(of)}/${id}`)
      .expect(200)
  ).body.data;

describe('a domain', () => {
  it('is proved by a record with exactly its name, and is represented completely', async () => {
    const claimed = await claim(` ${domain.toUpperCase()}. `);
    const whole = {
      id: expect.stringMatching(/^dom_/),
      organization_id: organization,
      domain,
      status: 'pending',
      record_name: domain,
      record_value: expect.stringMatching(/^worksmith-verification=[\w-]{32}$/),
      is_confirmed: false,
      proved_at: null,
      absent_days: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      revision: 1,
    };
    expect(claimed).toEqual(whole);
    names.records.set(`www.${domain}`, [claimed.record_value]);
    names.records.set(domain, ['worksmith-verification=another', `x${claimed.record_value}`]);
    expect(reasonOf((await verify(claimed).expect(409)).body)).toBe('record_absent');
    names.records.set(domain, ['unrelated', claimed.record_value]);
    const { body } = await verify(claimed).expect(200);
    expect(body.data).toEqual({
      ...whole,
      record_value: claimed.record_value,
      status: 'proved',
      proved_at: expect.any(String),
      revision: 2,
    });
    expect(names.asked.at(-1)).toBe(domain);
    expect((await verify(claimed).expect(200)).body.data.revision).toBe(2);
    const { body: list } = await app
      .as(olga)
      .get(`${at(organization)}?is_proved=true`)
      .expect(200);
    expect(list.data).toEqual([body.data]);
    expect(
      (
        await app
          .as(olga)
          .get(`${at(organization)}?is_proved=false`)
          .expect(200)
      ).body.data,
    ).toEqual([]);
  });

  it('is not proved while its name servers do not answer', async () => {
    const claimed = await claim();
    names.isBroken = true;
    expect(reasonOf((await verify(claimed).expect(409)).body)).toBe('name_servers_silent');
    expect(await read(claimed)).toMatchObject({ status: 'pending' });
  });

  it('belongs to the first organization that proves it, also of two at the same time', async () => {
    const otto = await app.person('Otto');
    const other = await app.organization(otto);
    const [mine, theirs] = [await claim(), await claim(domain, otto, other)];
    expect(mine.record_value).not.toBe(theirs.record_value);
    names.records.set(domain, [mine.record_value]);
    // The record of one organization proves nothing for another.
    expect(reasonOf((await verify(theirs, otto, other).expect(409)).body)).toBe('record_absent');
    names.records.set(domain, [mine.record_value, theirs.record_value]);
    const both = await Promise.all([verify(mine), verify(theirs, otto, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [loser] = both.filter(({ status }) => status === 409);
    expect(reasonOf(loser.body)).toBe('domain_taken');
    const hasMine = both[0].status === 200;
    const [winner, owner, of] = hasMine ? [mine, olga, organization] : [theirs, otto, other];
    await app
      .as(owner)
      .delete(`${at(of)}/${winner.id}`)
      .expect(200);
    const [rest, person, place] = hasMine ? [theirs, otto, other] : [mine, olga, organization];
    await verify(rest, person, place).expect(200);
  });

  it('is refused if it is none, or that of a public mail provider, or claimed already', async () => {
    for (const text of [
      'example',
      'a b.test',
      'http://example.test',
      '-a.test',
      '127.0.0.1',
      `${'a'.repeat(64)}.test`,
    ]) {
      const { body } = await app.as(olga).post(at(organization)).send({ domain: text }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['domain invalid_format']);
    }
    for (const text of ['gmail.com', 'GMX.de', 'outlook.com.']) {
      const { body } = await app.as(olga).post(at(organization)).send({ domain: text }).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['domain invalid_value']);
    }
    await claim();
    const { body } = await app.as(olga).post(at(organization)).send({ domain }).expect(409);
    expect(reasonOf(body)).toBe('domain_claimed');
    expect(await claim('müller.test')).toMatchObject({ domain: 'xn--mller-kva.test' });
  });

  it('is one of at most fifty of an organization', async () => {
    for (let number = 0; number < 50; number += 1) await claim(`n${number}.${domain}`);
    const { body } = await app.as(olga).post(at(organization)).send({ domain }).expect(409);
    expect(reasonOf(body)).toBe('too_many_domains');
  });

  it('is managed by owners, seen by members, and confirmed by administrators', async () => {
    const [max, eve] = [await app.person('Max'), await app.person('Eve')];
    await app.join(organization, max, 'admin');
    const claimed = await claim();
    names.records.set(domain, [claimed.record_value]);
    const path = `${at(organization)}/${claimed.id}`;
    for (const call of [app.as(max).post(at(organization)).send({ domain: 'other.test' }), verify(claimed, max)])
      await call.expect(403);
    await app.as(max).delete(path).expect(403);
    await app.as(olga).post(`${path}/confirm`).expect(403);
    await app.as(max).get(path).expect(200);
    expect((await app.as(max).get(at(organization)).expect(200)).body.data).toHaveLength(1);
    for (const each of [path, at(organization)]) await app.as(eve).get(each).expect(404);
    await verify(claimed, eve).expect(404);
    await app
      .as(await tokenOf(app, olga))
      .post(at(organization))
      .send({ domain: 'other.test' })
      .expect(403);
    const foreign = await app.organization(olga);
    await app
      .as(olga)
      .get(`${at(foreign)}/${claimed.id}`)
      .expect(404);
    await verify(claimed, olga, foreign).expect(404);
    await app
      .as(ada)
      .post(`${at(foreign)}/${claimed.id}/confirm`)
      .expect(404);
    const { body } = await app.as(ada).post(`${path}/confirm`).expect(200);
    expect(body.data).toMatchObject({ status: 'proved', is_confirmed: true });
    const taken = await claim(domain, eve, await app.organization(eve));
    const { body: refused } = await app
      .as(ada)
      .post(`${at(taken['organization_id' as keyof Claimed])}/${taken.id}/confirm`);
    expect(reasonOf(refused)).toBe('domain_taken');
    // An owner who was dismissed can do nothing with it any more.
    const second = await app.person('Sue');
    await app.join(organization, second, 'owner');
    await app.as(second).delete(`/organizations/${organization}/members/${olga.id}`).expect(200);
    await app.as(olga).delete(path).expect(404);
  });

  it('is in the audit and in the feed of its organization', async () => {
    const claimed = await prove();
    await app
      .as(olga)
      .delete(`${at(organization)}/${claimed.id}`)
      .expect(200);
    const { body } = await app.as(olga).get(`/audit?organization_id=${organization}&limit=100`).expect(200);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['domain.created', 'domain.updated', 'domain.deleted']));
    const { body: feed } = await app.as(olga).get(`/changes?entity_type=domain`).expect(200);
    expect(feed.data.map(({ type }: { type: string }) => type)).toEqual([
      'domain.created',
      'domain.updated',
      'domain.deleted',
    ]);
    await app
      .as(olga)
      .get(`${at(organization)}/${claimed.id}`)
      .expect(404);
  });
});

/** Lets the job look the domain up as if its time had come. */
const nextDay = async ({ id }: Claimed): Promise<void> => {
  await app.database.query('UPDATE domains SET check_due_at = now() WHERE id = $1 AND check_due_at IS NOT NULL', [id]);
  await app.database.query(`UPDATE jobs SET due_at = now() WHERE name = 'domain_checks'`);
  await app.service.runJobs();
};
const subjects = async (): Promise<string[]> => (await app.mail(olga.email)).map(({ subject }) => subject).toReversed();

describe('the record of a proved domain', () => {
  it('ends the proof when it has been absent for seven days running, of which the owners are told', async () => {
    const claimed = await prove();
    names.records.set(domain, ['v=spf1 -all']);
    for (let day = 1; day <= 6; day += 1) {
      await nextDay(claimed);
      expect(await read(claimed)).toMatchObject({ status: 'proved', absent_days: day });
    }
    expect(await subjects()).toEqual(Array.from({ length: 6 }, () => `The record of ${domain} is missing`));
    await nextDay(claimed);
    expect(await read(claimed)).toMatchObject({ status: 'pending', absent_days: 7, proved_at: null });
    expect((await subjects()).at(-1)).toBe(`${domain} is no longer proved`);
    await nextDay(claimed);
    expect(await subjects()).toHaveLength(7);
    names.records.set(domain, [claimed.record_value]);
    const { body } = await verify(claimed).expect(200);
    expect(body.data).toMatchObject({ status: 'proved', absent_days: 0 });
  });

  it('may be absent in between, and its name servers may be silent as long as they want', async () => {
    const claimed = await prove();
    names.records.delete(domain);
    for (let day = 1; day <= 6; day += 1) await nextDay(claimed);
    names.isBroken = true;
    for (let day = 1; day <= 3; day += 1) await nextDay(claimed);
    expect(await read(claimed)).toMatchObject({ status: 'proved', absent_days: 6 });
    names.isBroken = false;
    names.records.set(domain, [claimed.record_value]);
    await nextDay(claimed);
    expect(await read(claimed)).toMatchObject({ status: 'proved', absent_days: 0 });
  });

  it('is not looked up before a day has passed, nor for a domain that was confirmed by hand', async () => {
    const claimed = await prove();
    const confirmed = await claim(`by-hand.${domain}`);
    await app
      .as(ada)
      .post(`${at(organization)}/${confirmed.id}/confirm`)
      .expect(200);
    names.records.delete(domain);
    names.asked.length = 0;
    await app.database.query(`UPDATE jobs SET due_at = now() WHERE name = 'domain_checks'`);
    await app.service.runJobs();
    await nextDay(confirmed);
    expect(names.asked).toEqual([]);
    expect(await read(claimed)).toMatchObject({ absent_days: 0 });
  });
});

describe('a provider of an organization', () => {
  const someone = (): string => `p${randomBytes(5).toString('hex')}`;
  const body = (domains: string[]) => ({
    name: 'Company',
    issuer: liar.issuer,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    organization_id: organization,
    jit: true,
    domains,
  });
  const add = async (domains: string[]): Promise<string> =>
    (await app.as(olga).post('/identity-providers').send(body(domains)).expect(201)).body.data.id;
  const enter = async (provider: string, name: string, mailDomain = domain) => {
    const sent = { redirect_uri: CALLBACK };
    const { body: started } = await app.as(null).post(`/auth/oidc/${provider}/start`).send(sent).expect(200);
    const { authorization_url: url, flow_token } = started.data;
    const claims = { sub: name, email: `${name}@${mailDomain}`, email_verified: true };
    return app
      .as(null)
      .post('/auth/oidc/finish')
      .send({ flow_token, ...liar.signIn(url, claims) });
  };
  const offered = async (): Promise<string[]> => {
    const { body: methods } = await app.as(null).get(`/auth/methods?email=a@${domain}`).expect(200);
    return methods.data.providers.map(({ name }: { name: string }) => name);
  };

  it('speaks for the domains that its owners have proved, and for no others', async () => {
    const { body: refused } = await app
      .as(olga)
      .post('/identity-providers')
      .send(body([domain]))
      .expect(400);
    expect(fieldErrorsOf(refused)).toEqual(['domains.0 invalid_value']);
    await prove();
    const provider = await add([domain]);
    const { body: made } = await enter(provider, someone()).then(({ body: answer }) => ({ body: answer }));
    expect(made.data.user_id).toMatch(/^usr_/);
    const elsewhere = await enter(provider, someone(), `sub.${domain}`);
    expect(reasonOf(elsewhere.body)).toBe('identity_unknown');
    expect(await offered()).toEqual(['Company']);
  });

  it.each(['is given up', 'has lost its record for seven days'])(
    'makes and links no accounts once the domain %s, but lets known people in',
    async (how) => {
      const claimed = await prove();
      const provider = await add([domain]);
      const known = someone();
      await enter(provider, known).then(({ status }) => expect(status).toBe(200));
      const founder = await app.person('Fred', { email: `fred@${domain}` });
      await app.join(organization, founder, 'owner');
      await app.database.query(
        `UPDATE organization_resources SET added_by = user_id WHERE organization_id = $1 AND user_id = $2`,
        [organization, founder.id],
      );
      if (how === 'is given up')
        await app
          .as(olga)
          .delete(`${at(organization)}/${claimed.id}`)
          .expect(200);
      else {
        names.records.delete(domain);
        for (let day = 1; day <= 7; day += 1) await nextDay(claimed);
      }
      for (const name of [someone(), 'fred']) {
        const answer = await enter(provider, name);
        expect([name, answer.status, reasonOf(answer.body)]).toEqual([name, 403, 'identity_unknown']);
      }
      await enter(provider, known).then(({ status }) => expect(status).toBe(200));
      expect(await offered()).toEqual([]);
    },
  );

  it('of whoever proves the domain next gets no account of before', async () => {
    const claimed = await prove();
    const provider = await add([domain]);
    const victim = someone();
    const { body: before } = await enter(provider, victim);
    await app
      .as(olga)
      .delete(`${at(organization)}/${claimed.id}`)
      .expect(200);
    olga = await app.person('Mallory');
    organization = await app.organization(olga);
    await prove();
    const theirs = await add([domain]);
    const answer = await enter(theirs, victim);
    expect([answer.status, reasonOf(answer.body)]).toEqual([403, 'link_required']);
    expect(before.data.user_id).toMatch(/^usr_/);
  });

  it('gets a domain confirmed by the administrator who names it', async () => {
    const { body: made } = await app
      .as(ada)
      .post('/identity-providers')
      .send(body([domain]))
      .expect(201);
    expect(made.data.domains).toEqual([domain]);
    const { body: list } = await app.as(olga).get(at(organization)).expect(200);
    expect(list.data).toMatchObject([{ domain, status: 'proved', is_confirmed: true }]);
  });
});
