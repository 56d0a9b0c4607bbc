import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { FieldNames, JsonSchema } from '../../platform/database/views/view.js';
import { csvHeader, csvLines } from '../../platform/http/responses/csv.js';
import { FeedSlice } from '../../platform/http/responses/page.js';
import { readQuery } from '../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { fieldsParameter, parseFields } from '../../platform/http/requests/selected-fields.js';
import { oneOfFilter } from '../../platform/listing/filters.js';
import { integerParameter } from '../activity/feed/feed-query.js';
import { MAX_TITLE_LENGTH, WORK_REASONS, WORK_TYPES, type WorkReason } from './work.rules.js';
import { WorkRepository } from './work.repository.js';

const MOST = 200;
const DEFAULT = 50;

const whyFilter = oneOfFilter('', WORK_REASONS);

/** The properties of an item, in order. */
const ITEM: Record<string, JsonSchema> = {
  type: { type: 'string', enum: [...WORK_TYPES], description: 'What the id belongs to.' },
  id: { type: 'string', pattern: '^(?:tsk|dmd|rtr|msg)_[0-9a-f]{32}$' },
  key: { type: ['string', 'null'], description: 'The key of a task or demand; null for others.' },
  title: { type: 'string', description: `The title, shortened to ${MAX_TITLE_LENGTH} characters.` },
  status: { type: 'string', description: 'The status of the task, demand, ritual run or message.' },
  due_date: { type: ['string', 'null'], format: 'date-time' },
  why: {
    type: 'string',
    enum: [...WORK_REASONS],
    description:
      'The reason for the item: it needs your verdict on a task, your vote on a change of the work of your team, or ' +
      'your answer to a question; you can claim it as a ritual run; or it is assigned to you or your team.',
  },
  endeavour_id: { type: ['string', 'null'] },
};

const SELECTABLE = { fields: ITEM };

const READERS = {
  limit: integerParameter(1, Number.MAX_SAFE_INTEGER, MOST),
  why: (raw: string) => whyFilter.parse(raw),
  fields: (raw: string) => parseFields(SELECTABLE, raw),
};

export const WORK_PARAMETERS: Record<string, { description: string; schema: JsonSchema }> = {
  limit: {
    description: `The maximum number of items, 1 to ${MOST}. Larger values are treated as ${MOST}.`,
    schema: { type: 'integer', minimum: 1, default: DEFAULT },
  },
  why: { description: `Items that are listed for this reason. ${whyFilter.description}`, schema: whyFilter.schema },
  fields: fieldsParameter(SELECTABLE),
};

export const workSchema = (): JsonSchema =>
  exactly({
    data: { type: 'array', items: component('WorkItem', exactly(ITEM)) },
    meta: component(
      'WorkMeta',
      exactly({ has_more: { type: 'boolean', description: 'Whether there are more items than limit.' } }),
    ),
  });

/** Lists the open work of a user. */
@Injectable()
export class WorkService {
  constructor(private readonly repository: WorkRepository) {}

  async list(me: Caller, query: RawQuery): Promise<FeedSlice> {
    const values = readQuery(query, READERS);
    const limit = (values.get('limit') as number | undefined) ?? DEFAULT;
    const whys = (values.get('why') as WorkReason[] | undefined) ?? WORK_REASONS;
    const fields = (values.get('fields') as FieldNames | undefined) ?? Object.keys(ITEM);
    const items = whys.length === 0 ? [] : await this.repository.firstItems(me, whys, limit + 1, fields);
    return new FeedSlice(items.slice(0, limit), { has_more: items.length > limit });
  }

  /** The items as CSV, with the selected properties as columns. */
  asCsv({ items }: FeedSlice, query: RawQuery): string {
    const columns = (readQuery(query, READERS).get('fields') as FieldNames | undefined) ?? Object.keys(ITEM);
    const rows = items.map((item) => JSON.parse(item) as Record<string, unknown>);
    return csvHeader(columns) + csvLines(columns, rows);
  }
}
