import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { joinResource } from '../../access/visibility/people.view.js';
import { workKey } from '../../access/references/work-keys.view.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  boolean,
  day,
  defineView,
  id,
  integer,
  nullable,
  text,
  time,
  withoutEventValue,
} from '../../platform/database/views/view.js';
import { joinTask } from '../tasks/task-references.view.js';

/** A time entry as clients see it. */
export const timeEntryView = defineView({
  name: 'TimeEntry',
  kind: 'time_entry',
  table: 'time_entries',
  alias: 'own',
  joins: `
    ${joinEndeavour('e', 'own.endeavour_id')}
    ${joinTask('t', 'own.task_id')}
    ${joinResource('worker', 'own.resource_id')}`,
  people: {
    properties: ['resource_id', 'created_by'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = own.task_id)`,
  },
  fields: {
    id: id('own.id', 'time_entry'),
    task_id: id('own.task_id', 'task'),
    task_key: withoutEventValue(workKey('e', 't')),
    task_title: withoutEventValue(text('t.title')),
    endeavour_id: id('own.endeavour_id', 'endeavour'),
    resource_id: id('own.resource_id', 'resource'),
    resource_name: withoutEventValue(text('worker.name')),
    day: day('own.day', 'The day of the work.'),
    minutes: integer('own.minutes', 'The length of the work in minutes.'),
    note: written(nullable(text('own.note', 'What was done.')), 'personal', 'redactable'),
    is_initial: boolean(
      'own.is_initial',
      'Whether it holds the hours that the task had before its first time entry, which can be more than a day.',
    ),
    created_by: id('own.created_by', 'resource'),
    created_at: time('own.created_at'),
    updated_at: time('own.updated_at'),
    revision: integer('own.revision'),
  },
});
