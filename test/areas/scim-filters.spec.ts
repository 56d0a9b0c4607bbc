import { TestDirectory } from '../support/directory.js';
import { TestApp } from '../support/test-app.js';

describe('filters of people', () => {
  let app: TestApp;
  let directory: TestDirectory;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_READS_PER_MINUTE: '100000' });
    const ada = await app.admin();
    directory = await TestDirectory.of(app, await app.person('Ann'), ada);
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    await other.add({ externalId: 'E-1', displayName: 'Pia Park' });
    const people = {
      pia: { externalId: 'E-1', displayName: 'Pia Park', name: { givenName: 'Pia', familyName: 'Park' } },
      max: { externalId: 'e-1', displayName: 'Max 50%_Moss', active: false },
      zoe: { name: { familyName: 'Ångström' } },
    };
    for (const [name, more] of Object.entries(people)) {
      const home = { value: `${name}@home.example`, type: 'home' };
      const emails = [
        { value: directory.address(name), type: 'work', primary: true },
        ...(name === 'zoe' ? [] : [home]),
      ];
      ids[name] = (await directory.add({ userName: `${name}@${directory.domain}`, emails, ...more })).id;
    }
    await app.database.query(`UPDATE scim_users SET updated_at = '2026-05-01T12:00:00Z' WHERE user_id = $1`, [ids.max]);
  });
  afterAll(() => app.close());

  const names = async (filter: string): Promise<string[]> =>
    (await directory.found(filter.replaceAll('$', directory.domain))).map(
      (id) => Object.entries(ids).find(([, one]) => one === id)?.[0] ?? id,
    );

  it.each([
    ['userName eq "PIA@$"', ['pia']],
    ['USERNAME EQ "pia@$"', ['pia']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "pia@$"', ['pia']],
    ['userName ne "pia@$"', ['max', 'zoe']],
    ['userName co "@"', ['pia', 'max', 'zoe']],
    ['userName sw "M"', ['max']],
    ['userName ew "$"', ['pia', 'max', 'zoe']],
    ['userName gt "pia@"', ['pia', 'zoe']],
    ['userName le "max@$"', ['max']],
    ['externalId eq "E-1"', ['pia']],
    ['externalId ne "E-1"', ['max', 'zoe']],
    ['externalId pr', ['pia', 'max']],
    ['not (externalId pr)', ['zoe']],
    ['externalId eq null', ['zoe']],
    ['not (externalId eq "E-1")', ['max', 'zoe']],
    ['displayName co "50%_m"', ['max']],
    ['displayName co "5__"', []],
    ['name.familyName eq "ångström"', ['zoe']],
    ['active eq true', ['pia', 'zoe']],
    ['active eq "False"', ['max']],
    ['active eq True and displayName pr', ['pia']],
    ['emails eq "max@home.example"', ['max']],
    ['emails.value ew "home.example"', ['pia', 'max']],
    ['emails.value ne "max@home.example"', ['pia', 'zoe']],
    ['emails.type eq "home"', ['pia', 'max']],
    ['emails pr', ['pia', 'max', 'zoe']],
    ['emails[type eq "home" and value sw "pia"]', ['pia']],
    ['emails[type eq "work"].value sw "pia"', ['pia']],
    ['emails[not (type eq "work")]', ['pia', 'max']],
    ['emails[primary eq true and type eq "home"]', []],
    ['meta.lastModified lt "2026-06-01T00:00:00Z"', ['max']],
    ['meta.lastModified eq "2026-05-01T14:00:00+02:00"', ['max']],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName sw "z"', ['zoe']],
    ['(userName sw "p" or userName sw "z") and not (externalId pr)', ['zoe']],
    ['userName sw "p" or userName sw "z" and externalId pr', ['pia']],
    [`userName eq "x' OR 1=1 --"`, []],
    [String.raw`userName eq "\"; DROP TABLE users"`, []],
    [String.raw`userName eq "pi\u0061@$"`, ['pia']],
  ])('%s', async (filter, expected) => {
    expect(await names(filter)).toEqual(expected);
  });

  it('finds one person by id', async () => {
    expect(await names(`id eq "${ids.zoe}"`)).toEqual(['zoe']);
  });

  it.each([
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq "x',
    'userName eq x',
    'userName eq {}',
    'userName eq 7',
    'title eq "x"',
    'name eq "x"',
    'emails.first eq "x"',
    'groups[value eq "x"]',
    'emails[value eq "x"',
    'emails[emails[value eq "x"]]',
    '(userName pr',
    'userName pr)',
    'not userName pr',
    'userName pr and',
    'and userName pr',
    'userName pr userName pr',
    'userName gt null',
    'active gt true',
    'active eq "perhaps"',
    'meta.lastModified gt "yesterday"',
    'meta.lastModified co "2026"',
    String.raw`userName eq "\u0000"`,
    `${'('.repeat(11)}userName pr${')'.repeat(11)}`,
    Array.from({ length: 51 }, () => 'userName pr').join(' or '),
    `userName eq "${'x'.repeat(2_000)}"`,
  ])('refuse %s', async (filter) => {
    const { body } = await directory.get(`/Users?filter=${encodeURIComponent(filter)}`).expect(400);
    expect(body).toMatchObject({ status: '400', scimType: 'invalidFilter', detail: expect.any(String) });
  });

  it('are sent once', async () => {
    const filter = encodeURIComponent('userName pr');
    await directory.get(`/Users?filter=${filter}&filter=${filter}`).expect(400);
  });
});
