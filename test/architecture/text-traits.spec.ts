import { ENTITY_VIEWS } from '../../src/modules/privacy/my-data.view.js';
import { userView } from '../../src/modules/users/user.view.js';
import { namesWith, searchedIn } from '../../src/platform/database/views/text-traits.js';
import type { TextTrait, View, ViewField } from '../../src/platform/database/views/view.js';

/** Whether the property can hold what a person writes: no id, time, number or closed set of values. */
function canBeWritten({ schema, isPlain }: ViewField<unknown>): boolean {
  const { type, enum: values, format, pattern, anyOf, $ref } = schema as Record<string, string | undefined>;
  if (isPlain === true || values !== undefined || format !== undefined || pattern !== undefined) return false;
  return anyOf !== undefined || $ref !== undefined || ['string', 'object', 'array'].some((one) => type?.includes(one));
}

const byKind = (trait: TextTrait): Record<string, string[]> =>
  Object.fromEntries(
    ENTITY_VIEWS.map((view): [string, string[]] => [view.kind, namesWith(trait, view)]).filter(
      ([, names]) => names.length > 0,
    ),
  );

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
  });

  it('name what comparisons show line by line', () => {
    expect(byKind('compared')).toEqual({
      task: ['description'],
      ritual: ['description', 'prompt'],
      template: ['description', 'body'],
      dod_policy: ['description'],
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
  });

  it('name what text observers see', () => {
    expect(byKind('watched')).toEqual({
      demand: ['title', 'description', 'canceled_reason'],
      task: ['title', 'description', 'canceled_reason'],
      artifact: ['title', 'summary'],
      ritual: ['name', 'description', 'prompt'],
    });
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
      ritual: ['schedule', 'lang', 'last_run'],
      ritual_run: ['ritual_name', 'task_errors'],
      template: ['type', 'lang'],
      rule: ['on'],
      view: ['columns', 'group_by'],
      dod_endorsement: ['resource_name'],
      dod_check: ['policy_name', 'conditions', 'hint', 'rested_on'],
    });
  });
});
