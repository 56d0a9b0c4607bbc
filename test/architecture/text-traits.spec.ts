import { KINDS, type Kind } from '../../src/common/kinds.js';
import { ENTITY_VIEWS } from '../../src/modules/privacy/my-data.view.js';
import { userView } from '../../src/modules/users/user.view.js';
import { namesWith, searchedIn } from '../../src/platform/database/views/text-traits.js';
import type { TextTrait, View, ViewField } from '../../src/platform/database/views/view.js';
import { OBJECTS } from '../../src/schema.js';

/** Whether the property can hold what a person writes: no id, time, number or closed set of values. */
function canBeWritten({ schema, isPlain }: ViewField<unknown>): boolean {
  const { type, enum: values, format, pattern, anyOf, $ref } = schema as Record<string, string | undefined>;
  if (isPlain === true || values !== undefined || format !== undefined || pattern !== undefined) return false;
  return anyOf !== undefined || $ref !== undefined || ['string', 'object', 'array'].some((one) => type?.includes(one));
}

/** The properties of each kind that have the trait, of the kinds that use it. */
const byKind = (...traits: TextTrait[]): Record<string, string[]> =>
  Object.fromEntries(
    ENTITY_VIEWS.map((view): [string, string[]] => [
      view.kind,
      traits.flatMap((trait) => namesWith(trait, view)),
    ]).filter(([, names]) => names.length > 0),
  );

/** The properties of these kinds that people write and that have none of the traits. */
function othersThan(...traits: TextTrait[]): Record<string, string[]> {
  const kinds = Object.keys(byKind(...traits));
  const others = ENTITY_VIEWS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, fields }): [string, string[]] => [
    kind,
    Object.keys(fields).filter(
      (name) => fields[name].traits?.every((trait) => !traits.includes(trait)) === true && canBeWritten(fields[name]),
    ),
  ]);
  return Object.fromEntries(others.filter(([, names]) => names.length > 0));
}

const textsOf = (view: View): string[] => namesWith('searchedText', view);

const statementOf = (name: string): string => OBJECTS.find((object) => object.name === name)?.statement ?? '';

describe('the traits of texts', () => {
  it('name what stays in the data of a person who no longer sees the entity', () => {
    expect(byKind('personal')).toEqual({
      organization: ['name', 'description', 'metadata'],
      endeavour: ['name', 'description', 'goals', 'stages', 'fields', 'metadata'],
      resource: ['name', 'skills', 'metadata'],
      iteration: ['name', 'goal'],
      demand: ['title', 'description', 'metadata'],
      task: ['title', 'description', 'metadata'],
      artifact: ['title', 'url', 'file', 'summary', 'tags', 'metadata'],
      time_entry: ['note'],
      comment: ['content', 'metadata'],
      approval: ['verdict', 'role', 'comment', 'metadata'],
      relation: ['metadata'],
      ritual: ['name', 'description', 'prompt', 'task', 'metadata'],
      ritual_run: ['metadata'],
      template: ['name', 'description', 'body', 'metadata'],
      rule: ['name', 'filter', 'actions'],
      view: ['name', 'query'],
      dod_policy: ['name', 'description', 'conditions', 'metadata'],
      dod_result: ['name', 'passed', 'detail'],
    });
    expect(othersThan('personal')).toEqual({
      organization: ['archived_reason'],
      endeavour: ['external_ref', 'archived_reason'],
      resource: ['external_ref'],
      demand: ['labels', 'canceled_reason', 'external_ref'],
      task: ['labels', 'canceled_reason', 'external_ref'],
      artifact: ['external_ref'],
      ritual: ['schedule'],
      ritual_run: ['result_summary', 'effects', 'error'],
    });
  });

  it('name what can be redacted', () => {
    expect(byKind('redactable')).toEqual({
      organization: ['name', 'description', 'metadata', 'archived_reason'],
      endeavour: ['name', 'description', 'goals', 'stages', 'fields', 'external_ref', 'metadata', 'archived_reason'],
      iteration: ['name', 'goal'],
      demand: ['title', 'description', 'labels', 'canceled_reason', 'external_ref', 'metadata'],
      task: ['title', 'description', 'labels', 'canceled_reason', 'external_ref', 'metadata'],
      artifact: ['title', 'url', 'file', 'summary', 'tags', 'external_ref', 'metadata'],
      time_entry: ['note'],
      comment: ['content', 'metadata'],
      ritual: ['name', 'description', 'prompt', 'task', 'metadata'],
      ritual_run: ['result_summary', 'effects', 'error', 'metadata'],
      template: ['name', 'description', 'body', 'metadata'],
      rule: ['name', 'filter', 'actions'],
      view: ['name', 'query'],
      dod_policy: ['name', 'description', 'metadata'],
      resource: ['name', 'skills', 'external_ref', 'metadata'],
    });
    expect(othersThan('redactable')).toEqual({ ritual: ['schedule'], dod_policy: ['conditions'] });
  });

  it('name what comparisons show line by line', () => {
    expect(byKind('compared')).toEqual({
      task: ['description'],
      ritual: ['description', 'prompt'],
      template: ['description', 'body'],
      dod_policy: ['description'],
    });
    expect(othersThan('compared')).toEqual({
      task: ['title', 'labels', 'canceled_reason', 'external_ref', 'metadata'],
      ritual: ['name', 'schedule', 'task', 'metadata'],
      template: ['name', 'metadata'],
      dod_policy: ['name', 'conditions', 'metadata'],
    });
  });

  it('name what is searched: the name, then the text', () => {
    const searched = ENTITY_VIEWS.map((view): [string, string[]] => [view.kind, searchedIn(view)]);
    expect(Object.fromEntries(searched.filter(([, sql]) => sql.length > 0))).toEqual({
      organization: ['o.name', 'o.description'],
      endeavour: ['e.name', 'e.description'],
      resource: ['r.name'],
      demand: ['d.title', 'd.description'],
      task: ['t.title', 't.description'],
      artifact: ['a.title', 'a.summary'],
      comment: ['CASE WHEN c.deleted_at IS NULL THEN c.content END'],
      message: ['m.subject', 'm.content'],
      ritual: ['r.name', 'r.description'],
      template: ['p.name', 'p.body'],
      dod_policy: ['p.name', 'p.description'],
    });
    expect(othersThan('searchedName', 'searchedText')).toEqual({
      organization: ['metadata', 'archived_reason'],
      endeavour: ['goals', 'stages', 'fields', 'external_ref', 'metadata', 'archived_reason'],
      resource: ['skills', 'external_ref', 'metadata'],
      demand: ['labels', 'canceled_reason', 'external_ref', 'metadata'],
      task: ['labels', 'canceled_reason', 'external_ref', 'metadata'],
      artifact: ['url', 'file', 'tags', 'external_ref', 'metadata'],
      comment: ['metadata'],
      ritual: ['prompt', 'schedule', 'task', 'metadata'],
      template: ['description', 'metadata'],
      dod_policy: ['conditions', 'metadata'],
    });
  });

  it('name what the search stores words of, when they are written and when they are renewed', () => {
    const renewal = statementOf('renew_search_words');
    for (const view of ENTITY_VIEWS.filter((one) => namesWith('searchedName', one).length + textsOf(one).length > 0)) {
      const trigger = statementOf(`${view.table}.${view.table}_keep_words`);
      const words = statementOf(/EXECUTE FUNCTION (\w+)/.exec(trigger)?.[1] ?? '');
      const [, renewed = ''] = new RegExp(`WHEN '${view.table}'\\s+THEN '((?:[^']|'')*)'`).exec(renewal) ?? [];
      const names = [...namesWith('searchedName', view), ...textsOf(view)];
      const isIn = (sql: string, name: string): boolean => new RegExp(`[ (,.]${name}\\b`).test(` ${sql}`);
      expect({ table: view.table, renewed: names.filter((name) => isIn(renewed, name)) }).toEqual({
        table: view.table,
        renewed: names,
      });
      expect({ trigger, columns: names.filter((name) => isIn(trigger, name)) }).toEqual({ trigger, columns: names });
      // A function that several tables share reads no column that one of them lacks: such a table gets its own.
      const read = [...words.matchAll(/NEW\.(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'words');
      expect({ words, missing: names.filter((name) => !read.includes(name)) }).toEqual({ words, missing: [] });
      expect({ trigger, unnoticed: read.filter((name) => !isIn(trigger, name)) }).toEqual({ trigger, unnoticed: [] });
    }
  });

  it('name what approvals cover', () => {
    expect(byKind('approved')).toEqual({
      endeavour: ['name', 'description', 'goals'],
      demand: ['title', 'description', 'priority'],
      task: ['title', 'description'],
      artifact: ['kind', 'title', 'url', 'file', 'summary'],
      ritual: ['name', 'description', 'prompt', 'schedule'],
      dod_policy: ['name', 'description'],
    });
    // The trigger rituals_keep_task_changes covers the task of a ritual, and conditions change only in a new version.
    expect(othersThan('approved')).toEqual({
      endeavour: ['stages', 'fields', 'external_ref', 'metadata', 'archived_reason'],
      demand: ['labels', 'canceled_reason', 'external_ref', 'metadata'],
      task: ['labels', 'canceled_reason', 'external_ref', 'metadata'],
      artifact: ['tags', 'external_ref', 'metadata'],
      ritual: ['task', 'metadata'],
      dod_policy: ['conditions', 'metadata'],
    });
  });

  it('name what text observers see', () => {
    expect(byKind('watched')).toEqual({
      demand: ['title', 'description', 'canceled_reason'],
      task: ['title', 'description', 'canceled_reason'],
      artifact: ['title', 'summary'],
      ritual: ['name', 'description', 'prompt'],
    });
    expect(othersThan('watched')).toEqual({
      demand: ['labels', 'external_ref', 'metadata'],
      task: ['labels', 'external_ref', 'metadata'],
      artifact: ['url', 'file', 'tags', 'external_ref', 'metadata'],
      ritual: ['schedule', 'task', 'metadata'],
    });
  });

  it('are those of every kind but these, which are not in the data of their author as entities', () => {
    const kinds = new Set(ENTITY_VIEWS.map(({ kind }) => kind));
    expect((Object.keys(KINDS) as Kind[]).filter((kind) => !kinds.has(kind))).toEqual([
      'user',
      'goal',
      'stage',
      'label',
      'delivery',
      'invitation',
      'session',
      'access_token',
      'passkey',
      'domain',
      'identity_provider',
      'identity',
      'scim_token',
      'oauth_client',
      'registration_token',
      'webhook',
      'webhook_delivery',
      'event',
      'alert',
      'operation',
      'import',
      'alert_term',
      'audit_entry',
      'notification',
      'rule_run',
    ]);
  });

  it('are stated for every property that people write; these are the others', () => {
    const others: [string, string[]][] = [userView as View, ...ENTITY_VIEWS].map(({ kind, fields }) => [
      kind,
      Object.keys(fields).filter((name) => canBeWritten(fields[name]) && fields[name].traits === undefined),
    ]);
    expect(Object.fromEntries(others.filter(([, names]) => names.length > 0))).toEqual({
      user: ['name', 'email', 'lang', 'timezone', 'tier_name', 'external_id', 'metadata'],
      endeavour: ['key', 'timezone', 'lang', 'organizations', 'progress'],
      resource: ['capacity_model', 'organizations', 'quorum'],
      demand: ['key', 'former_keys', 'type', 'rank', 'endeavour_name', 'creator_name', 'owner_name', 'progress'],
      task: [
        'key',
        'former_keys',
        'stage_name',
        'rank',
        'endeavour_name',
        'demand_key',
        'demand_title',
        'assignee_name',
        'owner_name',
        'creator_name',
        'dod',
      ],
      time_entry: ['task_key', 'task_title', 'resource_name'],
      comment: ['author_name'],
      approval: ['approver_name', 'dismissed_reason'],
      relation: ['relationship_type', 'source_key', 'source_title', 'target_key', 'target_title'],
      message: ['sender_name', 'recipients', 'delivery', 'metadata'],
      ritual: ['lang', 'last_run'],
      ritual_run: ['ritual_name', 'task_errors'],
      template: ['type', 'lang'],
      rule: ['on'],
      view: ['columns', 'group_by'],
      dod_endorsement: ['resource_name'],
      dod_check: ['policy_name', 'conditions', 'hint', 'rested_on'],
    });
  });
});
