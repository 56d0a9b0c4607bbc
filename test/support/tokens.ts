import type { Person, TestApp } from './test-app.js';

/** An access token of that person's; asks as them, within its scopes and its container. */
export async function tokenOf(app: TestApp, person: Person, body: object = {}): Promise<Person & { tokenId: string }> {
  const sent = { name: 'Robot', scopes: ['*'], ...body };
  const { body: answer } = await app.as(person).post('/auth/tokens').send(sent).expect(201);
  return { ...person, token: answer.data.token, tokenId: answer.data.id };
}
