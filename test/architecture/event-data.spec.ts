import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERSONAL } from '../../src/modules/privacy/account-erasure.service.js';
import { resourceView } from '../../src/modules/resources/resource.view.js';
import { userView } from '../../src/modules/users/user.view.js';
import { eventDataSchema } from '../../src/platform/database/views/event-schema.js';
import type { View } from '../../src/platform/database/views/view.js';

const MODULES = join(__dirname, '../../src/modules');

/** Names of properties that belong to other entities, or depend on the caller. */
const OF_OTHERS =
  /_name$|_title$|_email$|^email$|^progress$|^my_role$|^member_count$|^endeavour_count$|^organizations$|^recipients$/;

/** Properties with such names that belong to the entity itself. */
const OWN = [
  'User.email',
  'User.tier_name',
  'UserDetail.email',
  'UserDetail.tier_name',
  'DodCheck.policy_name',
  'Domain.record_name',
  'IdentityProvider.trust_email',
];

/** Views that events do not contain: events refer to members and the like by id. */
const UNWRITTEN = [
  'EndeavourMember',
  'OrganizationMember',
  'TeamMember',
  'Event',
  'HistoryEvent',
  'MessageRecipient',
  'Notification',
  'Operation',
  'UserDetail',
];

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'fields' in value && 'alias' in value && 'table' in value;

async function views(): Promise<View[]> {
  const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.view.ts'));
  const modules = await Promise.all(files.map((file) => import(join(MODULES, file)) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter(isView));
}

describe('events', () => {
  it('contain no names of people or other entities, and nothing that depends on the caller', async () => {
    const all = await views();
    expect(all.length).toBeGreaterThan(20);
    const kept = all
      .filter(({ name }) => !UNWRITTEN.includes(name))
      .flatMap(({ name, fields }) =>
        Object.entries(fields)
          .filter(([property, { kept: instead }]) => OF_OTHERS.test(property) && instead === undefined)
          .map(([property]) => `${name}.${property}`),
      )
      .filter((property) => !OWN.includes(property));
    expect(kept).toEqual([]);
  });

  it('may lack the values that erasing a person blanks', () => {
    const stays = [userView, resourceView].flatMap((view) =>
      Object.entries(eventDataSchema(view).properties as object)
        .filter(([property, schema]) => PERSONAL.includes(property) && !JSON.stringify(schema).includes('"null"'))
        .map(([property]) => `${view.name}.${property}`),
    );
    expect(stays).toEqual([]);
  });
});
