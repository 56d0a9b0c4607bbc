import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { AuditTrail, type AuditedAction } from '../audit/audit-trail.js';
import { Database } from '../database/database.js';
import { CSV_TYPE } from '../http/responses/csv.js';
import { selectableFields } from '../database/views/view.js';
import type { ListFormat } from '../http/responses/list-format.js';
import { StreamedList } from '../http/responses/streamed-list.js';
import { ExportLimiter } from '../limits/export-limiter.js';
import type { ListDefinition, ListRequest } from './definition.js';
import { PageReader } from './page-reader.js';
import type { PageRows } from './page-statement.js';
import type { Viewer } from './list-condition.js';

const MAX_LIST_ROWS = 100_000;
const MAX_SECONDS = 60;
/** The approximate number of characters in memory at a time. */
const PAGE_CHARACTERS = 256 * 1024;
const MIN_PAGE_ROWS = 4;
const FIRST_PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 500;

/** The filters that name containers. */
const CONTAINER_FILTERS = ['endeavour_id', 'organization_id'];

type StreamRequest = ListRequest & { format: ListFormat };

/**
 * Sends a complete list of up to 100,000 rows from one snapshot and with constant memory: page after page by cursor, at
 * the speed of the client. Longer lists are rejected; errors after the start break the connection.
 */
@Injectable()
export class ListStreams {
  constructor(
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly reader: PageReader,
    private readonly turns: ExportLimiter,
  ) {}

  stream(me: Viewer, definition: ListDefinition, request: StreamRequest): StreamedList {
    const { format, fields } = request;
    const { view } = definition;
    const columns =
      fields === undefined
        ? [...Object.keys(view.fields), ...Object.keys(definition.columns ?? {})]
        : Object.keys(selectableFields(view)).filter((name) => fields.includes(name));
    const source = (send: (rows: AsyncIterable<JsonRecord[]>) => Promise<void>): Promise<void> =>
      this.turns.run(() =>
        this.database.snapshot(MAX_SECONDS, async () => {
          await this.turns.claim(me.userId);
          const prepared = await this.reader.prepared(me, definition, request);
          const first = await this.firstPage(me, definition, prepared);
          const details = { list: definition.view.name, format };
          const act: AuditedAction = { action: 'list.exported', entityType: 'user', entityId: me.userId, details };
          const containerIds = CONTAINER_FILTERS.flatMap((name) => (request.filters.get(name) ?? []) as string[]);
          this.database.deliver();
          await this.database.besideSnapshot(() => this.audit.recordExport(me.userId, act, containerIds));
          await send(this.rows(me, definition, prepared, first));
        }),
      );
    return new StreamedList(view.name.toLowerCase(), source, format, columns);
  }

  /** Reads the first rows; 400 if there are too many in all. */
  private async firstPage(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<PageRows> {
    const page = await this.reader.read(me, definition, { ...request, limit: FIRST_PAGE_ROWS, countsAll: true });
    if ((page.total ?? 0) > MAX_LIST_ROWS) throw tooLarge(MAX_LIST_ROWS);
    if (page.isMore) throw tooLarge(page.total);
    return page;
  }

  private async *rows(
    me: Viewer,
    definition: ListDefinition,
    request: ListRequest,
    first: PageRows,
  ): AsyncGenerator<JsonRecord[], undefined> {
    const end = performance.now() + MAX_SECONDS * 1_000;
    let page = first;
    for (let sent = 0; ;) {
      const rows = page.items.map((item) => withColumns(JSON.parse(item) as JsonRecord, definition, request));
      sent += rows.length;
      if (sent > MAX_LIST_ROWS) throw tooLarge(MAX_LIST_ROWS);
      if (rows.length > 0) yield rows;
      const { next, items } = page;
      if (next === undefined) return undefined;
      if (performance.now() > end) throw new Error(`a list took more than ${MAX_SECONDS} seconds`);
      const limit = rowsPerPage(items.reduce((sum, { length }) => sum + length, 0) / rows.length);
      page = await this.reader.read(me, definition, { ...request, limit, count: false, cursor: next });
    }
  }
}

/** The row with the further columns of a complete list in CSV. */
function withColumns(row: JsonRecord, { columns }: ListDefinition, { format, fields }: ListRequest): JsonRecord {
  if (columns === undefined || format !== CSV_TYPE || fields !== undefined) return row;
  return { ...row, ...Object.fromEntries(Object.entries(columns).map(([name, valueIn]) => [name, valueIn(row)])) };
}

/** The number of rows of that length in a page. */
const rowsPerPage = (length: number): number =>
  Math.min(MAX_PAGE_ROWS, Math.max(MIN_PAGE_ROWS, Math.floor(PAGE_CHARACTERS / length)));

const tooLarge = (most: number | null) =>
  invalidField('Accept', 'out_of_range', `More than ${most} rows match; narrow the list with its filters.`);
