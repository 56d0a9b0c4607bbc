import type { Person, TestApp } from './test-app.js';

/** Creates an access token of that user, and returns the user with this token for the requests. */
export async function tokenOf(app: TestApp, person: Person, body: object = {}): Promise<Person & { tokenId: string }> {
  const sent = { name: 'Robot', scopes: ['*'], ...body };
  const { body: response } = await app.as(person).post('/auth/tokens').send(sent).expect(201);
  return { ...person, token: response.data.token, tokenId: response.data.id };
}
