import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Told {
  type: string;
  entity_id: string;
  data: { endeavour_ids: string[] };
}

/** A reader of the feed with its position, and its copy of the visible tasks and their endeavours. */
interface Follower {
  person: Person;
  after: number;
  copy: Map<string, string>;
}

interface Task {
  id: string;
  endeavour_id: string;
}

describe('the visibility of endeavours in the feed', () => {
  let app: TestApp;
  let ann: Person;
  /** Bob is another owner of Ann's organization, Dan and Eve are members; Eve is also a viewer of the endeavours. */
  let bob: Person;
  let dan: Person;
  let eve: Person;
  let home: string;

  beforeAll(async () => {
    app = await TestApp.open({ ERASURE_DAYS: '0' });
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    [ann, bob, dan, eve] = await Promise.all(['Ann', 'Bob', 'Dan', 'Eve'].map((name) => app.person(name, { tier: 3 })));
    home = await app.organization(ann);
    await app.join(home, bob, 'owner');
    for (const person of [dan, eve]) await app.join(home, person, 'member');
  });

  /** Creates an endeavour of Ann with a task and with Eve as a viewer. */
  const endeavour = async (body: object = {}): Promise<string> => {
    const id = await app.endeavour(ann, body);
    await app.join(id, eve, 'viewer');
    await app.task(ann, id);
    return id;
  };
  const link = (organization: string, id: string) =>
    app.as(ann).post(`/organizations/${organization}/endeavours`).send({ endeavour_id: id }).expect(200);
  const unlink = (organization: string, id: string) =>
    app.as(ann).delete(`/organizations/${organization}/endeavours/${id}`).expect(200);
  /** Both owners of the home transfer it. */
  const transfer = async (id: string, organization: string): Promise<void> => {
    for (const [owner, status] of [
      [ann, 409],
      [bob, 200],
    ] as const) {
      await app.as(owner).post(`/endeavours/${id}/transfer`).send({ organization_id: organization }).expect(status);
    }
  };
  const hide = (id: string, isPrivate: boolean) =>
    app.as(ann).patch(`/endeavours/${id}`).send({ is_private: isPrivate }).expect(200);

  const tasks = async (person: Person, query = ''): Promise<Map<string, string>> => {
    const { body } = await app.as(person).get(`/tasks?limit=200${query}`).expect(200);
    return new Map(body.data.map(({ id, endeavour_id }: Task) => [id, endeavour_id]));
  };
  const follow = (...people: Person[]): Promise<Follower[]> =>
    Promise.all(
      people.map(async (person) => {
        const { body } = await app.as(person).get('/changes?after=now').expect(200);
        return { person, after: body.meta.next, copy: await tasks(person) };
      }),
    );
  /** Reads the new events, updates the copy as docs/activity.md describes, and compares it with the visible tasks. */
  const advance = async (follower: Follower): Promise<string[]> => {
    const { person, copy } = follower;
    const { body } = await app.as(person).get(`/changes?after=${follower.after}&type=visibility.*`).expect(200);
    follower.after = body.meta.next;
    for (const { type, data } of body.data as Told[]) {
      for (const [id, place] of type === 'visibility.lost' ? [...copy] : []) {
        if (data.endeavour_ids.includes(place)) copy.delete(id);
      }
      if (type === 'visibility.lost') continue;
      for (const [id, place] of await tasks(person, `&endeavour_id=${data.endeavour_ids.join(',')}`))
        copy.set(id, place);
    }
    expect([...copy].sort()).toEqual([...(await tasks(person))].sort());
    return (body.data as Told[]).map(({ type }) => type.replace('visibility.', ''));
  };
  /** Advances all followers, and returns the visibility events that each of them received. */
  const visibilityEventsOf = async (followers: Follower[]): Promise<string[][]> => {
    const all: string[][] = [];
    for (const follower of followers) all.push(await advance(follower));
    return all;
  };

  it('of a private endeavour is gained by the admins, but not the members, of its new home', async () => {
    const id = await endeavour({ is_private: true });
    const followers = await follow(bob, dan, eve);
    await link(home, id);
    expect(await visibilityEventsOf(followers)).toEqual([['gained'], [], ['gained']]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 0, 1]);
  });

  it('of a private endeavour is lost by home admins without a role in it when it is unlinked', async () => {
    const id = await endeavour({ organization_id: home, is_private: true });
    const followers = await follow(ann, bob, dan, eve);
    await unlink(home, id);
    expect(await visibilityEventsOf(followers)).toEqual([[], ['lost'], [], []]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 0, 0, 1]);
  });

  it('of a private endeavour moves from the admins of the old home to those of the new one', async () => {
    const id = await endeavour({ organization_id: home, is_private: true });
    const [pia, both] = [await app.person('Pia'), await app.person('Both')];
    const next = await app.organization(ann);
    await app.join(next, pia, 'admin');
    await app.join(next, dan, 'member');
    for (const place of [home, next]) await app.join(place, both, 'admin');
    const followers = await follow(ann, bob, dan, pia, both);
    await transfer(id, next);
    expect(await visibilityEventsOf(followers)).toEqual([['gained'], ['lost'], [], ['gained'], ['lost', 'gained']]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 0, 0, 1, 1]);
  });

  it('of an open endeavour moves from the members of the old home to those of the new one', async () => {
    const id = await endeavour({ organization_id: home });
    const pia = await app.person('Pia');
    const next = await app.organization(ann);
    for (const person of [pia, dan]) await app.join(next, person, 'member');
    const followers = await follow(bob, dan, eve, pia);
    await transfer(id, next);
    expect((await visibilityEventsOf(followers))[0]).toEqual(['lost']);
    expect(followers.map(({ copy }) => copy.size)).toEqual([0, 1, 1, 1]);
  });

  it('stays with admins of the home and users with a role when an endeavour becomes private', async () => {
    const id = await endeavour({ organization_id: home });
    const [partner, pat] = [await app.organization(ann), await app.person('Pat')];
    await app.join(partner, pat, 'owner');
    await link(partner, id);
    const followers = await follow(ann, bob, dan, eve, pat);
    await hide(id, true);
    const [, bobs, dans, , pats] = await visibilityEventsOf(followers);
    expect([dans, pats]).toEqual([['lost'], ['lost']]);
    expect(bobs.at(-1)).toBe('gained');
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 1, 0, 1, 0]);
    await hide(id, false);
    expect(await visibilityEventsOf(followers)).toEqual([
      ['gained', 'gained'],
      ['gained'],
      ['gained'],
      ['gained'],
      ['gained'],
    ]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 1, 1, 1, 1]);
  });

  it('stays with users who have a role in an open endeavour that is unlinked', async () => {
    const id = await endeavour({ organization_id: home });
    const followers = await follow(ann, bob, dan, eve);
    await unlink(home, id);
    expect(await visibilityEventsOf(followers)).toEqual([['lost', 'gained'], ['lost'], ['lost'], ['lost', 'gained']]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 0, 0, 1]);
  });

  it('is gained and kept by a token that is restricted to the organization, too', async () => {
    const id = await endeavour({ is_private: true });
    const followers = await follow(await tokenOf(app, ann, { organization_id: home }));
    await link(home, id);
    expect(await visibilityEventsOf(followers)).toEqual([['gained']]);
    await hide(id, false);
    await hide(id, true);
    expect(await visibilityEventsOf(followers)).toEqual([['gained', 'lost', 'gained']]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1]);
  });

  it('is described in the activity without the claim that access was granted', async () => {
    const id = await endeavour({ organization_id: home });
    await hide(id, true);
    const { body } = await app.as(ann).get(`/activity?type=visibility.*&endeavour_id=${id}`).expect(200);
    expect(body.data.map(({ text }: { text: string }) => text)).toEqual([
      'Worksmith changed who can see endeavour \u201cGarden\u201d.',
    ]);
  });

  it('does not change when a private endeavour is shared or no longer shared', async () => {
    const id = await endeavour({ organization_id: home, is_private: true });
    const [partner, pat] = [await app.organization(ann), await app.person('Pat')];
    await app.join(partner, pat, 'owner');
    const followers = await follow(ann, bob, dan, eve, pat);
    await link(partner, id);
    await unlink(partner, id);
    expect(await visibilityEventsOf(followers)).toEqual([[], [], [], [], []]);
  });

  it('of a private endeavour is gained with the admin role in its home, and lost with it', async () => {
    await endeavour({ organization_id: home, is_private: true });
    const followers = await follow(bob, dan, eve);
    const become = async (role: string): Promise<void> => {
      for (const { id } of [dan, eve])
        await app.as(ann).patch(`/organizations/${home}/members/${id}`).send({ role }).expect(200);
    };
    await become('admin');
    expect(await visibilityEventsOf(followers)).toEqual([[], ['gained'], []]);
    await become('member');
    expect(await visibilityEventsOf(followers)).toEqual([[], ['lost'], []]);
    expect(followers.map(({ copy }) => copy.size)).toEqual([1, 0, 1]);
  });

  it('is lost by admins of the home of a private endeavour that is erased', async () => {
    const id = await endeavour({ organization_id: home, is_private: true });
    await app.as(ann).post(`/endeavours/${id}/archive`).send({ reason: 'Over' }).expect(200);
    const { body } = await app.as(bob).get('/changes?after=now').expect(200);
    const erasing = await app.as(ann).delete(`/endeavours/${id}?confirm=Garden`).expect(202);
    const worker = await TestApp.open({ WORKERS: 'true' }, app);
    await worker.ended(ann, `/operations/${erasing.body.data.id}`);
    await worker.close();
    const after = await app.as(bob).get(`/changes?after=${body.meta.next}&type=visibility.*`).expect(200);
    expect(after.body.data).toEqual([
      expect.objectContaining({
        type: 'visibility.lost',
        entity_id: bob.id,
        data: expect.objectContaining({ endeavour_ids: [id] }),
      }),
    ]);
  });
});
